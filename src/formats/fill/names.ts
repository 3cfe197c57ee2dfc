import type { Facts } from '../../content/facts/index.ts'
import { termsOf } from '../../content/passages/rank.ts'
import { urlOf } from '../../lib/url-of.ts'

/** A text for comparisons: lower case, words only. */
export const plainText = (text: string): string => text.toLowerCase().normalize('NFKC').replace(/[^\p{L}\p{N}]+/gu, ' ').trim()

/** The same without spaces, which markup may swallow. */
export const tight = (text: string): string => plainText(text).replace(/ /g, '')

/** The possible names of a site by its address, with and without the domain ending; empty for an invalid address. */
export function hostNames(url: string): readonly string[] {
  const hostname = urlOf(url)?.hostname
  if (hostname === undefined) return []
  return [...hostname.split('.').slice(0, -1), tight(hostname), tight(hostname.replace(/^www\./, ''))]
}

/** Whether two titles share enough words to be about the same thing. */
export function related(a: string, b: string): boolean {
  const [x, y] = [new Set(termsOf(a)), new Set(termsOf(b))]
  const shared = [...x].filter((term) => y.has(term)).length
  return tight(a) === tight(b) || (shared > 1 && shared >= 0.4 * Math.min(x.size, y.size))
}

/** Whether a name is that of the site: by its address, its card, a part of its title, or its copyright notice. */
export function isOfSite(name: string, { url, title, meta, layout }: Facts): boolean {
  // A sentence about a company is not its name.
  if (/\s[|–—-]\s|:\s/.test(name) || name.split(/\s+/).length > 8) return false
  const own = tight(name)
  const host = tight(urlOf(url)?.hostname.replace(/^www\./, '') ?? '')
  if (own.length > 3 && (host.includes(own) || hostNames(url).some((label) => label.length > 3 && own.includes(label)))) return true
  if ((meta.props.get('siteName') ?? []).some((site) => tight(String(site)) === own)) return true
  const initials = plainText(name).split(' ').map((word) => word[0] ?? '').join('')
  if (hostNames(url).includes(own) || (initials.length > 2 && hostNames(url).includes(initials))) return true
  const rights = layout.text.split('\n').filter((line) => /©|\bcopyright\b|\(c\)/i.test(line) && line.length < 300)
  return title.split(/\s[|–—-]\s/).slice(1).some((part) => tight(part) === own) || rights.some((line) => tight(line).includes(own))
}
