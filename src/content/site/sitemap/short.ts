import { Parser } from 'htmlparser2'

const maxShort = 300
/** Characters of a description that are read: a feed may contain whole pages. */
const maxHtml = 4_000
/** A longer last word is cut itself: scripts without spaces have no better place. */
const maxWord = 60
const unseen: ReadonlySet<string> = new Set(['script', 'style', 'title'])
/** Elements whose text is separate from the text around. */
const apart = /^(?:address|article|aside|blockquote|br|dd|div|dl|dt|figcaption|figure|footer|h[1-6]|header|hr|img|li|main|nav|ol|p|pre|section|table|td|th|tr|ul)$/

/** Plain text in one line, cut between words if long; undefined when it is blank. */
export function shortText(text: string): string | undefined {
  const line = text.slice(0, maxHtml).replace(/\s+/g, ' ').trim()
  if (line.length <= maxShort) return line === '' ? undefined : line
  const start = line.slice(0, maxShort - 1)
  const space = line[maxShort - 1] === ' ' ? start.length : start.lastIndexOf(' ')
  const kept = space >= maxShort - maxWord ? start.slice(0, space) : start
  // Do not keep half of a surrogate pair.
  return `${kept.replace(/[\ud800-\udbff]$/, '').trimEnd()}…`
}

/** The same for HTML. */
export function shortHtml(html: string): string | undefined {
  if (!/[<&]/.test(html)) return shortText(html)
  let text = ''
  let hidden = 0
  const space = (name: string): void => void (apart.test(name) && (text += ' '))
  const parser = new Parser({
    onopentag(name) {
      space(name)
      if (unseen.has(name)) hidden++
    },
    ontext: (data) => void (hidden === 0 && (text += data)),
    onclosetag(name) {
      space(name)
      if (unseen.has(name)) hidden--
    },
  })
  parser.end(html.slice(0, maxHtml))
  return shortText(text)
}
