import { fileKind } from '../../domain/pages/file-kind.ts'
import { type IndexedPage, scopesOf } from '../../domain/search/search-index.ts'
import { termsOf } from '../../domain/search/terms.ts'
import { cacheUrl, commonUrl } from '../../domain/urls/url.ts'
import { percentRead } from '../../lib/percent-decoded.ts'
import type { Collected } from './ports.ts'

const maxTitle = 500
const maxDescription = 1_000
/** Nobody searches for pages with longer addresses. */
const maxAddress = 2_000

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The words of an address: host without its common parts, and path, decoded. */
function addressTerms(url: string, language: string): string {
  const { hostname, pathname, search } = new URL(url)
  return termsOf(`${hostname.replace(/^www\./, '')} ${percentRead(pathname + search)}`, language, 100).join(' ')
}

/** The search index entry of a team's page; null if it was read without one. */
export function findable({ acquired: { capture }, page }: Collected, team: string): IndexedPage | null {
  const { index } = page
  if (index === undefined || capture.url.length > maxAddress) return null
  const { metadata } = page.facts
  const url = cacheUrl(commonUrl(capture))
  const { terms, language, publishedAt, pictures } = index
  const image = textIn(metadata['ogImage'])
  return {
    url,
    title: (textIn(metadata['title']) || textIn(metadata['headline'])).slice(0, maxTitle),
    description: textIn(metadata['description']).slice(0, maxDescription),
    language,
    publishedAt,
    image: image === '' || image.length > maxAddress ? null : image,
    terms: { ...terms, address: addressTerms(url, language) },
    scopes: scopesOf(team, url, { published: publishedAt !== null, pictures: pictures.length > 0, pdf: fileKind(capture) === 'pdf' }),
  }
}
