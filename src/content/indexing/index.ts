import type { PageIndex } from '../../domain/derivation.ts'
import type { PageMetadata } from '../../domain/reading.ts'
import { languageOf, termsOf } from '../../domain/terms.ts'
import { publishedIn } from './dates.ts'
import { plainText } from './plain-text.ts'

/** What is read of a page at most: characters of its text, and terms of it. */
const maxText = 60_000
const maxTerms = 10_000
const maxHeadings = 3_000

/** What is to be looked for of a page, from its markdown. */
export interface IndexSource {
  readonly metadata: PageMetadata
  readonly markdown: string
  readonly pictures: PageIndex['pictures']
  /** The page as it came, for what it says of its date only there; empty for none. */
  readonly source: string
}

/** As much of a text as is indexed, to cut passages from. */
export const shownText = (markdown: string): string => markdown.slice(0, maxText)

const textIn = (value: PageMetadata[string] | undefined): string => (typeof value === 'string' ? value : '')

/** The terms of a page, with its date. Linear in what is read of it. */
export function indexOf({ metadata, markdown, pictures, source }: IndexSource): PageIndex {
  const language = languageOf(textIn(metadata['language']))
  const { text, headings } = plainText(markdown.slice(0, maxText))
  const terms = (of: string, most: number): string => termsOf(of, language, most).join(' ')
  return {
    terms: {
      title: terms(textIn(metadata['title']), 100),
      headings: terms(headings.slice(0, maxHeadings), 500),
      // What a page says of itself counts like its text.
      body: terms(`${textIn(metadata['description'])}\n${text}`, maxTerms),
      pictures: terms(pictures.map(({ alt }) => alt).join('\n'), 500),
    },
    language,
    publishedAt: publishedIn(metadata, source),
    pictures,
  }
}
