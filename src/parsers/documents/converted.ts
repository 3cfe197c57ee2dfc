import { all, at, parseXml, textIn, type XmlElement } from './xml.ts'

/** What a reader makes of a document. */
export interface Converted {
  readonly html: string
  readonly metadata: Readonly<Record<string, string | undefined>>
  readonly warnings: readonly string[]
}

const first = (root: XmlElement | undefined, name: string): string | undefined => {
  const [found] = all(root, name)
  return found === undefined ? undefined : textIn(found)
}

/** What an office document says of itself, in the Dublin Core elements that all of them use. */
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
/** Programs write a time that they do not know as one that nobody wrote files at. */
const earliest = Date.UTC(1970, 0, 1)

/** Metadata with empty and unreadable values left out; the first main heading is the title of a document that has none. */
export function tidyMetadata(fields: Converted['metadata'], html: string): Record<string, string> {
  const heading = /<h1[^>]*>([^]{1,1000}?)<\/h1>/.exec(html.slice(0, 200_000))?.[1]
  const title = fields['title']?.trim() || (heading === undefined ? undefined : textIn(at(parseXml(`<h>${heading}</h>`), 'h')))
  const tidy = Object.entries({ ...fields, title }).map(([key, value]) => [key, clean(key, value)])
  return Object.fromEntries(tidy.filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''))
}

function clean(key: string, value: string | undefined): string | undefined {
  const text = value?.replace(/[\s\0]+/g, ' ').trim().slice(0, maxValue)
  if (key === 'language' && !/^[a-z]{2,3}(?:[-_]|$)/i.test(text ?? '')) return undefined
  return key.endsWith('Time') && text !== undefined && !(Date.parse(text) > earliest) ? undefined : text
}
