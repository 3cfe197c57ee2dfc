import { isRealDay } from '../../../lib/time.ts'
import type { Block } from '../blocks.ts'
import type { RawDocument } from '../source.ts'

interface Page {
  readonly blocks: readonly Block[]
}

/** A PDF date ("D:20260101120000+01'00'", PDF 1.7, 7.9.4) or an XMP date as ISO 8601, as exact as it is: without a zone, or a time, that it lacks; undefined when it is no date. */
function isoDate(text: string): string | undefined {
  const match = /^(?:D:)?(\d{4})-?(\d\d)?-?(\d\d)?T?(\d\d)?:?(\d\d)?:?(\d\d)?(?:\.\d+)?(?:(Z)|([+-])(\d\d)[':]?(\d\d)?)?/.exec(text)
  if (match === null) return undefined
  const [, year = '', month, day, hour, minute = '00', second = '00', utc = '', sign, zoneHour = '00', zoneMinute = '00'] = match
  const date = [year, month, day].filter((part) => part !== undefined).join('-')
  const iso = hour === undefined ? date : `${date}T${hour}:${minute}:${second}${sign === undefined ? utc : `${sign}${zoneHour}:${zoneMinute}`}`
  return Number.isNaN(Date.parse(iso)) || !isRealDay(iso) ? undefined : iso
}

/** Titles that programs write when nobody gave one: file names, program names, placeholders. */
const noTitle = new RegExp(
  [
    '^\\(?(?:untitled|unbenannt|sans titre|sin título|senza titolo|unknown|title|titel|document|dokument|new document|print|none|null|about:blank|blank|no title|unspecified|anonymous)[\\s_-]*\\d*\\)?$',
    '^(?:powerpoint|pptx?) ?-?(?:presentation|präsentation)$|^pr[eé]sentation powerpoint$|^presentación de powerpoint$|^(?:slide|folie|layout|page|seite|document|dokument|sheet|tabelle) ?\\d+$',
    '^microsoft (?:office )?(?:word|powerpoint|excel|publisher|visio|outlook)\\b',
    '[^\\s.]\\.(?:docx?|docm|dotx?|rtf|odt|odp|ods|pages|pptx?|ppsx?|key|xlsx?|xlsm|csv|txt|md|tex|dvi|ps|eps|pdf|html?|xml|fo|indd|qx[dp]|pmd|p65|fm|ai|cdr|psd|pub|vsdx?|dwg|wpd|wps|jpe?g|png|tiff?)$',
    '^(?:[a-z]:\\\\|/|file:|https?:)',
  ].join('|'),
  'i',
)
const noName = /^\(?(?:anonymous|unspecified|unknown|user|owner|admin(?:istrator)?|root|author|default|none)\)?$/i

/** Whether a person gave this title: it contains a word, and is no placeholder. */
const isGiven = (title: string): boolean => /\p{L}{2}|\p{L}[\p{M}\p{L}]|[\p{sc=Han}\p{sc=Hangul}]/u.test(title) && !noTitle.test(title)

/** The words of a heading, without markdown syntax and footnote marks. */
function wordsOf(line: string): string {
  return line
    .replace(/^#+\s+/, '')
    .replace(/<(sup|sub)>([^<]*)<\/\1>/g, (_, tag: string, inner: string) => (tag === 'sup' && /^[\s\d,*∗†‡§¶♯#]*$/.test(inner) ? '' : inner))
    .replace(/\[([^\]]*)\]\([^)\s]*\)/g, '$1')
    .replace(/\\([\\`*_{}[\]#+.!|&<-])/g, '$1')
    .replace(/\*\*|`|(?<!\w)[*_]|[*_](?!\w)|[∗†‡]+$/g, '')
    .trim()
}

/**
 * The first of the largest headings on the first of three pages that has a large enough one; after page 1, only headings of
 * level 1 or 2 count.
 */
function largestHeading(pages: readonly Page[]): string | undefined {
  for (const [i, { blocks }] of pages.slice(0, 3).entries()) {
    const headings = blocks.filter(({ kind }) => kind === 'heading').map(({ lines: [line = ''] }) => ({ level: /^#+/.exec(line)?.[0].length ?? 6, text: wordsOf(line) }))
    const best = Math.min(...headings.filter(({ text }) => isGiven(text)).map(({ level }) => level))
    const found = headings.find(({ level, text }) => level === best && isGiven(text))
    if (found !== undefined && best <= (i === 0 ? 3 : 2)) return found.text.slice(0, 2_000)
  }
  return undefined
}

/** What a file says about itself, by the names of contract §3.8. The title falls back to the largest heading. */
export function metadataOf(info: RawDocument['info'], pages: readonly Page[]): Record<string, string> {
  const text = (name: string): string | undefined => info[name]?.replace(/[\s\p{Cc}]+/gu, ' ').trim().slice(0, 2_000)
  const given = (name: string): string | undefined => (noName.test(text(name) ?? '') ? undefined : text(name))
  const title = text('title') ?? ''
  const fields: Record<string, string | undefined> = {
    title: isGiven(title) ? title : largestHeading(pages),
    author: given('author'),
    description: given('subject'),
    keywords: text('keywords'),
    language: text('language'),
    publishedTime: isoDate(info['created'] ?? ''),
    modifiedTime: isoDate(info['modified'] ?? ''),
  }
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''))
}
