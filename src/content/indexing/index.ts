import type { PageIndex } from '../../domain/pages/derivation.ts'
import type { PageMetadata } from '../../domain/pages/reading.ts'
import { languageOf, termsOf } from '../../domain/search/terms.ts'
import { publishedIn } from './dates.ts'
import { plainText } from './plain-text.ts'

/** Limits per page: characters of text, number of terms, characters of headings. */
const maxText = 60_000
const maxTerms = 10_000
const maxHeadings = 3_000

/** What is indexed of a page. */
export interface IndexSource {
  readonly metadata: PageMetadata
  readonly markdown: string
  readonly pictures: PageIndex['pictures']
  /** The page as received, for dates that only its source says; '' for none. */
  readonly source: string
}

/** The part of a text that is indexed, and that passages are cut from. */
export const shownText = (markdown: string): string => markdown.slice(0, maxText)

const textIn = (value: PageMetadata[string] | undefined): string => (typeof value === 'string' ? value : '')

/** The terms of a page, with its date. Linear in the text that is read. */
export function indexOf({ metadata, markdown, pictures, source }: IndexSource): PageIndex {
  const language = languageOf(textIn(metadata['language']))
  const { text, headings } = plainText(markdown.slice(0, maxText))
  const terms = (of: string, most: number): string => termsOf(of, language, most).join(' ')
  return {
    terms: {
      title: terms(textIn(metadata['title']), 100),
      headings: terms(headings.slice(0, maxHeadings), 500),
      // The page's description counts like its text.
      body: terms(`${textIn(metadata['description'])}\n${text}`, maxTerms),
      pictures: terms(pictures.map(({ alt }) => alt).join('\n'), 500),
    },
    language,
    publishedAt: publishedIn(metadata, source),
    pictures,
  }
}
