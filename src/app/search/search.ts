import { notCovered } from '../../domain/teams/allowance.ts'
import type { Call } from '../../domain/call.ts'
import { creditsOfSearch } from '../../domain/teams/credits.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { Found } from '../../domain/search/search.ts'
import type { SearchAnswer } from '../../spec/search.ts'
import { assertAnswered, type Sourced, sourced } from './ask.ts'
import { categoryOf, planSearch, type SearchPlan, type SourcePlan } from './plan.ts'
import type { SearchJob, SearchPorts } from './ports.ts'
import { assertScrapable, type Scraped, scrapeAll } from './scrapes.ts'

type Data = SearchAnswer['data']

/** What a scrape adds to a result: everything except what the result says better. A failed page keeps what the search knew. */
function documentOf(found: Found, scraped: Scraped | undefined): Record<string, unknown> {
  if (scraped === undefined) return {}
  const { metadata, ...rest } = scraped.document
  return { ...rest, metadata: 'title' in metadata || metadata['error'] === undefined ? metadata : { title: found.title, description: found.description, ...metadata } }
}

const sized = (name: string, value: number | null): Record<string, number> => (value === null || value < 1 ? {} : { [name]: Math.round(value) })

function itemsOf(plan: SourcePlan, found: readonly Found[], scraped: ReadonlyMap<string, Scraped>): readonly object[] {
  return found.map((one, at) => {
    const position = at + 1
    const label = categoryOf(one, plan.categories)
    const category = label === undefined ? {} : { category: label }
    const { url, title, description, date, image } = one
    if (plan.source === 'images') return { title, imageUrl: image ?? '', ...sized('imageWidth', one.width), ...sized('imageHeight', one.height), url, position }
    if (plan.source === 'web') return { ...documentOf(one, scraped.get(url)), url, title, description, position, ...category }
    return { ...documentOf(one, scraped.get(url)), title, url, snippet: description, ...(date === null ? {} : { date }), ...(image === null ? {} : { imageUrl: image }), position, ...category }
  })
}

/** The results of each source, all asked at once. A source that fails does not fail the others. */
async function foundIn({ request }: SearchJob, plan: SearchPlan, ports: SearchPorts, call: Call): Promise<readonly Sourced[]> {
  const all = await Promise.all(plan.sources.map((source) => sourced(source, request.ignoreInvalidURLs, ports, call)))
  assertAnswered(all)
  return all
}

/** Writes the charge, and of the answer what may be kept: nothing under zero retention and for anonymous searches. */
async function settle(job: SearchJob, { body, credits, plan }: { readonly body: Uint8Array; readonly credits: number; readonly plan: SearchPlan }, ports: SearchPorts, call: Call): Promise<void> {
  const at = ports.now()
  const charge = { ref: job.id, kind: 'search', credits, at, key: call.key }
  if (!plan.keep) return void (await ports.ledger.charge(call.team, charge))
  const blob = await ports.blobs.put(body)
  const request = JSON.stringify({ query: job.request.query })
  await ports.results.settle({ team: call.team, result: { id: job.id, team: call.team, kind: 'search', blob, frame: null, request, createdAt: at, expiresAt: at + ports.retentionMs }, charge, cache: null })
}

/** Which pages were not scraped for a reason of the search, not of their own. */
function lackWarnings(scraped: readonly Scraped[]): readonly string[] {
  const pages = (what: Scraped['lacked']): string | null => {
    const count = scraped.filter(({ lacked }) => lacked === what).length
    return count === 0 ? null : count === 1 ? 'one page was' : `${count} pages were`
  }
  const [late, unpaid] = [pages('time'), pages('credits')]
  return [...(late === null ? [] : [`The time was up before ${late} scraped.`]), ...(unpaid === null ? [] : [`For lack of credits ${unpaid} not scraped.`])]
}

async function answered(job: SearchJob, plan: SearchPlan, ports: SearchPorts, call: Call): Promise<Uint8Array> {
  const all = await foundIn(job, plan, ports, call)
  const pages = plan.sources.flatMap(({ source }, at) => (source === 'images' ? [] : (all[at]?.found.map(({ url }) => url) ?? [])))
  const scraped = await scrapeAll(pages, { job, plan }, ports, call)
  const results = all.reduce((sum, { found }) => sum + found.length, 0)
  const own = creditsOfSearch(results, plan.retention)
  const warnings = [...job.warnings, ...plan.warnings, ...all.flatMap(({ warnings: some }) => some), ...lackWarnings([...scraped.values()])]
  const data: Data = Object.fromEntries(plan.sources.map((source, at) => [source.source, itemsOf(source, all[at]?.found ?? [], scraped)]))
  const answer: SearchAnswer = {
    success: true,
    id: job.id,
    data,
    creditsUsed: own + [...scraped.values()].reduce((sum, { credits }) => sum + credits, 0),
    warning: warnings.length === 0 ? null : [...new Set(warnings)].join(' '),
  }
  const body = Buffer.from(JSON.stringify(answer))
  await settle(job, { body, credits: own, plan }, ports, call)
  call.log('searched', { results, scraped: scraped.size, credits: answer.creditsUsed })
  return body
}

/** Searches for a team and returns the bytes of the response body. The query is never logged. Throws `FORBIDDEN`, `FEATURE_NOT_CONFIGURED`, `BAD_REQUEST` (selectors, an empty query), `INSUFFICIENT_CREDITS`, `SEARCH_TIMEOUT` and `SEARCH_FAILED`. */
export async function search(job: SearchJob, ports: SearchPorts, call: Call): Promise<Uint8Array> {
  const plan = planSearch(job.request, ports.gates, call.team, ports.now())
  assertScrapable(job, plan, ports, call)
  const ceiling = creditsOfSearch(job.request.limit * plan.sources.length, plan.retention)
  const held = await ports.ledger.hold(call, job.id, ceiling, call.deadline + 60_000, ports.now())
  if (held === null) throw await notCovered('the request', ports, call)
  try {
    return await answered(job, plan, ports, { ...call, retention: plan.retention })
  } catch (error) {
    await ports.ledger.release(call.team, held)
    if (error instanceof ServiceError && error === call.signal.reason && error.code === 'SCRAPE_TIMEOUT') throw new ServiceError('SEARCH_TIMEOUT')
    throw error
  }
}
