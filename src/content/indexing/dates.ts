import type { PageMetadata } from '../../domain/pages/reading.ts'
import { isRealDay } from '../../lib/time.ts'

/** Metadata with the date of publication, most certain first. */
const names = ['publishedTime', 'dcTermsCreated', 'dcDateCreated', 'dcDate', 'date', 'pubdate', 'publish-date', 'parsely-pub-date', 'sailthru.date', 'modifiedTime']
const inData = /"datePublished"\s*:\s*"([^"\n]{8,40})"/
/** There were no web pages before. */
const earliest = Date.UTC(1990, 0)

/** The time of an ISO 8601 or RFC 2822 text, in milliseconds; null for anything else. */
function timeOf(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d|^(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4}/.test(text) || !isRealDay(text)) return null
  // Without a zone it counts as UTC, so that the result does not depend on the machine.
  const zoned = /^\d{4}-\d\d-\d\dT[\d:.]+$/.test(text) ? `${text}Z` : text
  const time = Date.parse(zoned)
  return Number.isFinite(time) && time >= earliest ? time : null
}

/** When a page says it was published, in milliseconds; null when it does not say. */
export function publishedIn(metadata: PageMetadata, source: string): number | null {
  for (const name of names) {
    const value = metadata[name]
    const time = typeof value === 'string' ? timeOf(value.trim()) : null
    if (time !== null) return time
  }
  const at = source.indexOf('"datePublished"')
  return at < 0 ? null : timeOf(inData.exec(source.slice(at, at + 100))?.[1] ?? '')
}
