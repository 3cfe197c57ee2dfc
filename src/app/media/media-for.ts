import type { Call } from '../../domain/call.ts'
import type { Artifact } from '../../domain/pages/results.ts'
import { isMedia } from '../../formats/media.ts'
import type { ScrapeData } from '../../spec/scrape.ts'
import type { Collected } from '../scrape/ports.ts'
import type { Plan } from '../scrape/plan.ts'
import { type Place, placeMedia, type ShotPorts } from '../scrape/shots.ts'
import { fetchMedia, type MediaPorts } from './fetch.ts'

/** The media as the response contains them, the rows that make their URLs work, and warnings. */
export interface PlacedMedia {
  readonly fields: Pick<ScrapeData, 'audio' | 'video'>
  readonly artifacts: readonly Artifact[]
  readonly warnings: readonly string[]
}

/**
 * Fetches the media that the page names and the request asks for, and warns of those that are missing. Throws only when the
 * caller's time is up.
 */
export async function mediaFor({ acquired, page }: Collected, place: Place, { plan, ...ports }: MediaPorts & ShotPorts & { readonly plan: Plan }, call: Call): Promise<PlacedMedia> {
  const [fields, artifacts, warnings]: [{ audio?: string; video?: string }, Artifact[], string[]] = [{}, [], []]
  for (const sources of page.facts.media ?? []) {
    const { kind } = sources
    // A page may consist of its player alone. Under lockdown nothing is fetched, whatever media the cached page names.
    const answered = (page.facts.verdict === 'ok' || page.facts.verdict === 'empty') && acquired.capture.status < 400
    const outcome = plan.cache.read === 'only' ? { why: 'the request is to be answered from the cache' } : !answered ? { why: 'the site did not give the page' } : await fetchMedia({ ...sources, page: acquired.capture.url }, plan, ports, call)
    if ('why' in outcome) {
      warnings.push(`${kind}: none, as ${outcome.why}.`)
      continue
    }
    const { address, artifact } = await placeMedia(outcome, place, ports, call)
    fields[kind] = address
    if (artifact !== null) artifacts.push(artifact)
    if (outcome.silent) warnings.push('video: its sound is a stream of its own; the format audio brings it.')
  }
  // Documents have no media, and audio has no picture.
  const unnamed = plan.derive.formats.filter(isMedia).filter(({ type }) => page.facts.media?.some(({ kind }) => kind === type) !== true)
  for (const { type } of unnamed) warnings.push(`${type}: none, as the address leads to a file of another kind.`)
  return { fields, artifacts, warnings }
}
