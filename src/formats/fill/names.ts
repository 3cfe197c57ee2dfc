import { termsOf } from '../../content/passages/rank.ts'

/** A text as it is compared: lower case, words only. */
export const plainText = (text: string): string => text.toLowerCase().normalize('NFKC').replace(/[^\p{L}\p{N}]+/gu, ' ').trim()

/** A text as it is compared without spaces, which markup eats. */
export const tight = (text: string): string => plainText(text).replace(/ /g, '')

/** What a site may be called by its address, with and without its ending; nothing for what is no page of a site. */
export function hostNames(url: string): readonly string[] {
  if (!URL.canParse(url)) return []
  const { hostname } = new URL(url)
  return [...hostname.split('.').slice(0, -1), tight(hostname), tight(hostname.replace(/^www\./, ''))]
}

/** Whether two titles share so many of their words that they are of one thing. */
export function related(a: string, b: string): boolean {
  const [x, y] = [new Set(termsOf(a)), new Set(termsOf(b))]
  const shared = [...x].filter((term) => y.has(term)).length
  return tight(a) === tight(b) || (shared > 1 && shared >= 0.4 * Math.min(x.size, y.size))
}
