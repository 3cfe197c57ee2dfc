import { all, at, parseXml, textIn, type XmlElement } from './xml.ts'

/** The result of reading a document. */
export interface Converted {
  readonly html: string
  readonly metadata: Readonly<Record<string, string | undefined>>
  readonly warnings: readonly string[]
  /** Whether the file holds more text than was read. */
  readonly isCut?: boolean
  /** The address of the web page that the file is a copy of. */
  readonly page?: string
}

const first = (root: XmlElement | undefined, name: string): string | undefined => {
  const [found] = all(root, name)
  return found === undefined ? undefined : textIn(found)
}

/** An office document's metadata, from the Dublin Core elements that all of them use. */
export function propertiesOf(root: XmlElement | undefined): Converted['metadata'] {
  return {
    title: first(root, 'title'),
    author: first(root, 'initial-creator') ?? first(root, 'creator'),
    description: first(root, 'description') || first(root, 'subject'),
    keywords: all(root, 'keyword').map(textIn).join(', ') || first(root, 'keywords'),
    language: first(root, 'language'),
    publishedTime: first(root, 'creation-date') ?? first(root, 'created'),
    modifiedTime: all(root, 'date').map(textIn)[0] ?? first(root, 'modified'),
  }
}

const maxValue = 2_000
/** Programs write a date before this one for an unknown time. */
const earliest = Date.UTC(1970, 0, 1)

/** Metadata without empty and unreadable values; a document without a title gets its first main heading. */
export function tidyMetadata(fields: Converted['metadata'], html: string): Record<string, string> {
  const heading = /<h1[^>]*>([^]{1,1000}?)<\/h1>/.exec(html.slice(0, 200_000))?.[1]
  const title = fields['title']?.trim() || (heading === undefined ? undefined : textIn(at(parseXml(`<h>${heading}</h>`), 'h')))
  const tidy = Object.entries({ ...fields, title }).map(([key, value]) => [key, clean(key, value)])
  return Object.fromEntries(tidy.filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''))
}

function clean(key: string, value: string | undefined): string | undefined {
  const text = value?.replace(/[\s\p{Cc}]+/gu, ' ').trim().slice(0, maxValue)
  if (key === 'language' && !/^[a-z]{2,3}(?:[-_]|$)/i.test(text ?? '')) return undefined
  return key.endsWith('Time') && text !== undefined && !(Date.parse(text) > earliest) ? undefined : text
}
