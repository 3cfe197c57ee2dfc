import type { PageMetadata } from '../../domain/reading.ts'

/** Where pages say when they were published, most certain first. */
const names = ['publishedTime', 'dcTermsCreated', 'dcDateCreated', 'dcDate', 'date', 'pubdate', 'publish-date', 'parsely-pub-date', 'sailthru.date', 'modifiedTime']
const inData = /"datePublished"\s*:\s*"([^"\n]{8,40})"/
/** Before the web there were no pages. */
const earliest = Date.UTC(1990, 0)

/** A time that a text names in the form of ISO 8601, or of RFC 2822; null for anything else. */
function timeOf(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d|^(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4}/.test(text)) return null
  // Without a zone it is taken for UTC, so that the answer does not hang on where this runs.
  const zoned = /^\d{4}-\d\d-\d\dT[\d:.]+$/.test(text) ? `${text}Z` : text
  const time = Date.parse(zoned)
  return Number.isFinite(time) && time >= earliest ? time : null
}

/** When a page says it was published; null where it does not. */
export function publishedIn(metadata: PageMetadata, source: string): number | null {
  for (const name of names) {
    const value = metadata[name]
    const time = typeof value === 'string' ? timeOf(value.trim()) : null
    if (time !== null) return time
  }
  const at = source.indexOf('"datePublished"')
  return at < 0 ? null : timeOf(inData.exec(source.slice(at, at + 100))?.[1] ?? '')
}
