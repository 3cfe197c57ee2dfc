import { quoted } from '../../lib/quoted.ts'
import { urlOf } from '../../lib/url-of.ts'
import type { Placed } from './page/placed.ts'
import { isWide, wide } from './native/wide-lines.ts'

/** The links of a page with the words under their boxes, '' for a link over no text. At most 5,000. */
export function coveredText(items: readonly Placed[], base: string | null = null): { text: string; url: string }[] {
  const texts = items.filter((item) => item.itemType === 'Text' && item.width > 0)
  const links = items.flatMap(({ linkUrl, ...item }) => (linkUrl === undefined ? [] : [{ ...item, linkUrl: addressOf(linkUrl, base) }])).filter((item) => isLinkable(item.linkUrl)).slice(0, 5_000)
  const rows = new Map<number, Placed[]>()
  for (const text of texts) {
    const row = Math.round(text.y / rowHeight)
    rows.set(row, rows.get(row) ?? [])
    rows.get(row)?.push(text)
  }
  return links.map((link) => ({ url: link.linkUrl, text: textsNear(link, rows).map((text) => cut(text, link)).filter((part) => part !== '').join(' ') }))
}

/**
 * Adds `http://` to an address that starts with `www.`, as viewers do; resolves other addresses without a scheme against
 * the file's base.
 */
function addressOf(url: string, base: string | null): string {
  if (/^www\./i.test(url)) return `http://${url}`
  return base === null || url === '' || url.startsWith('#') || /^[a-z][a-z\d+.-]*:/i.test(url) ? url : (urlOf(url, base)?.href ?? url)
}

/** Whether an address may stand in a link: a page or a mailbox. */
export const isLinkable = (url: string): boolean => /^(https?:\/\/|mailto:)/i.test(url) && urlOf(url) !== null

/** Height of an index row, in points. The index keeps the cost linear on pages with many links and texts. */
const rowHeight = 12

/** Text runs whose middle is inside the box of the link, in reading order. */
function textsNear(link: Placed, rows: ReadonlyMap<number, readonly Placed[]>): Placed[] {
  const near: Placed[] = []
  const last = Math.min(Math.round((link.y + link.height) / rowHeight), Math.round(link.y / rowHeight) + 100)
  for (let row = Math.round((link.y - rowHeight) / rowHeight); row <= last; row++) near.push(...(rows.get(row) ?? []))
  return near
    .filter((text) => text.y + text.height / 3 >= link.y && text.y + text.height / 3 <= link.y + link.height && text.x < link.x + link.width && text.x + text.width > link.x)
    .sort((a, b) => b.y - a.y || a.x - b.x)
}

/** Matches a word; in scripts without spaces, a single character. */
const wordPattern = new RegExp(`${wide}|(?:(?!${wide})\\S)+`, 'g')

/**
 * The words of a run inside the box. Assumes that all letters are equally wide, so the ends move to the nearest word
 * boundary.
 */
function cut(text: Placed, link: Placed): string {
  const per = text.text.length / text.width
  const from = Math.max(0, (link.x - text.x) * per)
  const to = Math.min(text.text.length, (link.x + link.width - text.x) * per)
  const words = [...text.text.matchAll(wordPattern)].filter((word) => Math.min(to, word.index + word[0].length) - Math.max(from, word.index) > word[0].length / 2)
  const [first, end] = [words[0], words.at(-1)]
  if (first === undefined || end === undefined) return ''
  return text.text.slice(first.index, end.index + end[0].length).replace(/[.,;:]+$/, '')
}

/**
 * Writes each link around its words in a page's markdown. Words that are not found, or are in a link already, stay as they
 * are.
 */
export function withLinks(markdown: string, anchors: readonly { readonly text: string; readonly url: string }[]): string {
  // Each link searches the rest of the page.
  if (anchors.length === 0 || markdown.length > 200_000) return markdown
  let done = ''
  let rest = markdown
  const words = new Set(markdown.match(word))
  /** Up to where in the page a text is not found: it need not be searched again from before there. */
  const lacking = new Map<string, number>()
  const find = (text: string): Found | null => {
    const from = markdown.length - rest.length
    if (from <= (lacking.get(text) ?? -1) || (!isWide.test(text) && text.match(word)?.every((one) => words.has(one)) === false)) return null
    const { at, length, text: found } = locate(rest, text)
    if (found !== null) return { at, length, text: found }
    lacking.set(text, from + at)
    return null
  }
  for (let i = 0; i < anchors.length; i++) {
    const { text = '', url = '' } = anchors[i] ?? {}
    // A link that is written already; the next ones come after it.
    const written = text === '' ? `](${target(url)})` : ''
    const at = written === '' || lacking.has(written) ? -1 : rest.indexOf(written)
    if (at < 0) lacking.set(written, Infinity)
    else {
      done += rest.slice(0, at + written.length)
      rest = rest.slice(at + written.length)
    }
    if (text.length < 2 || text.length > 300) continue
    const whole = wholeOf(anchors, i)
    const all = whole.parts > 1 && whole.text.length <= 300 ? find(whole.text) : null
    const found = all ?? find(text)
    if (found === null) continue
    if (all !== null) i += whole.parts - 1
    done += `${rest.slice(0, found.at)}[${found.text.replace(/[[\]]/g, '\\$&')}](${target(url)})`
    rest = rest.slice(found.at + found.length)
  }
  return done + rest
}

/** Joins the boxes of a link that continues on the next lines: there is one box per line. */
function wholeOf(anchors: readonly { readonly text: string; readonly url: string }[], from: number): { text: string; parts: number } {
  const { url } = anchors[from] ?? {}
  let parts = 1
  while (anchors[from + parts]?.url === url && (anchors[from + parts]?.text ?? '') !== '' && parts < 20) parts++
  return { text: anchors.slice(from, from + parts).map(({ text }) => text).join(' '), parts }
}

/** Matches a run of letters of a text; it stands in a page only as a whole. */
const word = /[\p{L}\p{N}]+/gu

interface Found {
  readonly at: number
  readonly length: number
  readonly text: string
}

/** Where a text first stands in markdown, at `Infinity` if nowhere; the text is null where no link can be. */
function locate(markdown: string, text: string): { readonly at: number; readonly length: number; readonly text: string | null } {
  const pattern = text.split(/\s+/).map(quoted).join('\\s+')
  const match = new RegExp(`(<u>)?${isWide.test(text.slice(0, 1)) ? '' : '(?<![\\p{L}\\p{N}])'}(${pattern})${isWide.test(text.slice(-1)) ? '' : '(?![\\p{L}\\p{N}])'}(</u>)?`, 'u').exec(markdown)
  if (match === null) return { at: Infinity, length: 0, text: null }
  const { index: at, 0: { length } } = match
  const before = markdown.slice(Math.max(0, match.index - 500), match.index)
  const line = before.slice(before.lastIndexOf('\n') + 1)
  const isLinked = /\[[^\]]*$/.test(line) || /\]\([^)]*$/.test(line)
  const isCode = (markdown.slice(0, at).match(/^```/gm)?.length ?? 0) % 2 === 1
  return { at, length, text: isLinked || isCode ? null : (match[2] ?? '').replace(/\s+/g, ' ') }
}

/** A normalized address in which no parenthesis or space can end the link destination early. */
export const target = (url: string): string => new URL(url).href.replace(/[()\s<>]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)
