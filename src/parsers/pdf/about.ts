import type { Block } from './blocks.ts'
import type { RawDocument } from './source.ts'

interface Page {
  readonly blocks: readonly Block[]
}

/** "D:20260101120000+01'00'" of PDF 1.7, 7.9.4, or the form of XMP, as ISO 8601; undefined when it is no date. */
export function isoDate(text: string): string | undefined {
  const match = /^(?:D:)?(\d{4})-?(\d\d)?-?(\d\d)?T?(\d\d)?:?(\d\d)?:?(\d\d)?(?:\.\d+)?(?:([+-])(\d\d)[':]?(\d\d)?|Z)?/.exec(text)
  if (match === null) return undefined
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', sign, zoneHour = '00', zoneMinute = '00'] = match
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}${sign === undefined ? 'Z' : `${sign}${zoneHour}:${zoneMinute}`}`
  return Number.isNaN(Date.parse(iso)) ? undefined : iso
}

/** What programs write where nobody gave a title: names of files, of the program, of nothing. */
const noTitle = new RegExp(
  [
    '^(?:untitled|unbenannt|sans titre|sin título|senza titolo|unknown|title|titel|document|dokument|new document|print|none|null|about:blank|blank|no title|unspecified|anonymous)[\\s_-]*\\d*$',
    '^(?:powerpoint|pptx?) ?-?(?:presentation|präsentation)$|^pr[eé]sentation powerpoint$|^presentación de powerpoint$|^(?:slide|folie|layout|page|seite|document|dokument|sheet|tabelle) ?\\d+$',
    '^microsoft (?:office )?(?:word|powerpoint|excel|publisher|visio|outlook)\\b',
    '[^\\s.]\\.(?:docx?|docm|dotx?|rtf|odt|odp|ods|pages|pptx?|ppsx?|key|xlsx?|xlsm|csv|txt|md|tex|dvi|ps|eps|pdf|html?|xml|fo|indd|qx[dp]|pmd|p65|fm|ai|cdr|psd|pub|vsdx?|dwg|wpd|wps|jpe?g|png|tiff?)$',
    '^(?:[a-z]:\\\\|/|file:|https?:)',
  ].join('|'),
  'i',
)
const noName = /^\(?(?:anonymous|unspecified|unknown|user|owner|admin(?:istrator)?|root|author|default|none)\)?$/i

/** Whether somebody gave this title: what has no word was not given. */
const isGiven = (title: string): boolean => /\p{L}{2}|\p{L}[\p{M}\p{L}]|[\p{sc=Han}\p{sc=Hangul}]/u.test(title) && !noTitle.test(title)

/** The words of a heading: marks of footnotes are none of them. */
function wordsOf(line: string): string {
  return line
    .replace(/^#+\s+/, '')
    .replace(/<(sup|sub)>([^<]*)<\/\1>/g, (_, tag: string, inner: string) => (tag === 'sup' && /^[\s\d,*∗†‡§¶♯#]*$/.test(inner) ? '' : inner))
    .replace(/\[([^\]]*)\]\([^)\s]*\)/g, '$1')
    .replace(/\\([\\`*_{}[\]#+.!|&<-])/g, '$1')
    .replace(/\*\*|`|(?<!\w)[*_]|[*_](?!\w)|[∗†‡]+$/g, '')
    .trim()
}

/** The largest heading of the first page that has one, the first of them; of the pages after the first only what heads a document. */
function largestHeading(pages: readonly Page[]): string | undefined {
  for (const [i, { blocks }] of pages.slice(0, 3).entries()) {
    const headings = blocks.filter(({ kind }) => kind === 'heading').map(({ lines: [line = ''] }) => ({ level: /^#+/.exec(line)?.[0].length ?? 6, text: wordsOf(line) }))
    const best = Math.min(...headings.filter(({ text }) => isGiven(text)).map(({ level }) => level))
    const found = headings.find(({ level, text }) => level === best && isGiven(text))
    if (found !== undefined && best <= (i === 0 ? 3 : 2)) return found.text.slice(0, 2_000)
  }
  return undefined
}

/** What a file says of itself, by the names of contract §3.8; its title is the largest heading where it says none. */
export function metadataOf(info: RawDocument['info'], pages: readonly Page[]): Record<string, string> {
  const text = (name: string): string | undefined => info[name]?.replace(/[\s\0]+/g, ' ').trim().slice(0, 2_000)
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
