import { mainDomain } from '../../domain/urls/site-url.ts'
import { maxForeign } from './sitemap-report.ts'

/** Decides which files a site may name: any on its domain, and a few elsewhere, since any site could send us anywhere. */
export function doorkeeper(): (url: string, from: readonly string[]) => Promise<boolean> {
  let foreign = 0
  return async (url, from) => {
    const there = new URL(url).hostname
    for (const here of from.map((one) => new URL(one).hostname)) {
      if (there === here || (await mainDomain(there)) === (await mainDomain(here))) return true
    }
    return foreign++ < maxForeign
  }
}
