import type { Call } from '../../domain/call.ts'
import { ServiceError } from '../../domain/errors.ts'
import { lacksCountry } from '../../domain/fetching/proxies.ts'
import type { Version } from '../../domain/pages/versions.ts'
import { isModelled } from '../../formats/material.ts'
import { inherited, recheckOf, versionKey } from '../changes/previous.ts'
import { isGone, isWithheld } from '../changes/track.ts'
import { withMeaning } from '../meaning/index.ts'
import { type Acquired, fromCache } from './acquire.ts'
import type { Packed } from '../../domain/pages/derivation.ts'
import type { Plan } from './plan.ts'
import type { Collected, PagePorts } from './ports.ts'
import { withProfile } from './profile.ts'
import { read } from './which-engine.ts'
import { fetchedAtWall } from './which-tier.ts'

/** The page with whether it is from elsewhere: from the cache it is still what it was when it was fetched, whatever proxies there are now. */
function placed(acquired: Acquired, { order }: Plan, { pools }: PagePorts): Acquired {
  const { capture } = acquired
  if (order.country === undefined || capture.elsewhere !== undefined) return acquired
  const pool = capture.proxy === 'enhanced' && pools.enhanced.length > 0 ? pools.enhanced : pools.basic
  return { ...acquired, capture: { ...capture, elsewhere: lacksCountry(pool, order.country) } }
}

/** The warning if a page is not from the country that was asked for. */
function countryWarnings({ order: { country } }: Plan, { capture, found, confirmed }: Acquired): readonly string[] {
  if (capture.elsewhere !== true) return []
  return [found === null && confirmed === null ? `No proxy of that country (${country}) is configured; the page was fetched from elsewhere.` : `No proxy of that country (${country}) was configured when the page was fetched, so that it is from elsewhere.`]
}

/** The warning if nothing of the answer is made of cleaned text: without a model, the other formats made of text are. */
function cleanWarnings({ request, derive: { formats, read } }: Plan): readonly string[] {
  const cleans = formats.some(({ type }) => type === 'markdown' || (read.onlyCleanContent === true && isModelled(type)))
  return request.onlyCleanContent && !cleans ? ['onlyCleanContent: it cleans markdown, which was not asked for.'] : []
}

/** The previous version of a tracked page; null if there is none, or it is not tracked. */
async function versionBefore({ tracking, request }: Plan, { versions }: PagePorts, call: Call): Promise<Version | null> {
  return tracking === null || versions === undefined ? null : versions.latest(versionKey(call.team, request.url, tracking.tag), '')
}

/** A page without the fields that change tracking compares, if the site did not give the page: nothing will be compared, and no model need be asked. */
function compared({ acquired, page }: Collected): Packed {
  const { tracked, ...facts } = page.facts
  return tracked === undefined || !(isGone({ acquired, page }) || isWithheld({ acquired, page })) ? page : { ...page, facts }
}

/** Asks the model. For a tracked page whose text has not changed, the fields are taken from the previous version. */
async function meant(collected: Collected, plan: Plan, before: Version | null, ports: PagePorts, call: Call): Promise<Packed> {
  const { model, analyse, learned: kept = null, versions, blobs, now } = ports
  const { capture } = collected.acquired
  const page = compared(collected)
  if (!model || page.facts.material === undefined) return page
  const tracked = before === null || versions === undefined || blobs === undefined ? null : await inherited(page, before, plan, { ...ports, versions, blobs }, call)
  const learning = kept === null || plan.learns !== true || plan.retention === 'zero' ? null : { ...kept, capture, read: plan.derive.read, now }
  return withMeaning(tracked === null ? page : { ...page, facts: { ...page.facts, tracked } }, plan.derive, { model, analyse, learning, now }, call)
}

/**
 * Fetches and reads a page; nothing is written except what was learned about its host. Throws what engines and readers throw, and
 * `SCRAPE_SITE_ERROR` under `strict` if it is not the page asked for.
 */
export async function collect(plan: Plan, ports: PagePorts, call: Call): Promise<Collected> {
  const { acquired, stale } = await fromCache(plan, ports, call)
  const before = await versionBefore(plan, ports, call)
  const known = stale ?? (before && recheckOf(before, plan))
  const collected = acquired === null ? await withProfile({ plan, work: (own) => fetchedAtWall({ plan: own, stale: known }, ports, call) }, ports.profiles, call) : await read(acquired, plan, ports, call)
  const { verdict } = collected.page.facts
  if (plan.request.strict && verdict !== 'ok') {
    throw new ServiceError('SCRAPE_SITE_ERROR', `The site did not give the page asked for (${verdict}).`, { details: { verdict } })
  }
  const fetched = placed(collected.acquired, plan, ports)
  const warnings = [...countryWarnings(plan, fetched), ...cleanWarnings(plan)]
  const page = { ...collected.page, ...(await meant(collected, plan, before, ports, call)) }
  return { page, acquired: { ...fetched, warnings: [...fetched.warnings, ...warnings] } }
}
