import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { document, page, type Page, type Pages } from './site/page.ts'
import { type Site, startSite } from './site/index.ts'
import { testKey, type TestService } from './service.ts'

const words = '<p>The harbour office keeps the tide tables of the last hundred years here. They are read by sailors, fishers and those who build at the shore.</p>'

/** A page that leads to these. */
export const linksTo = (...links: readonly string[]): Page => page(document(`Links ${links.length}`, `<main><h1>Harbour</h1>${words}<ul>${links.map((link, i) => `<li><a href="${link.replaceAll('&', '&amp;')}">Page ${i}</a></li>`).join('')}</ul></main>`))

/** Pages without links at each of the paths. */
export const leaves = (...paths: readonly string[]): Pages => Object.fromEntries(paths.map((path) => [path, page(document(path, `<main><h1>${path}</h1>${words}</main>`))]))

/** The paths `/p/0`, `/p/1` and so on. */
export const numbered = (count: number, folder = '/p'): readonly string[] => Array.from({ length: count }, (_, i) => `${folder}/${i}`)

/** A site with these pages, until the test is over. */
export async function siteWith(pages: Pages): Promise<Site> {
  const site = await startSite(pages)
  onTestFinished(() => site.close())
  return site
}

/** A folder for a store that outlives its service, until the test is over. */
export function dataDirOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** How many requests were answered at once. */
export interface Gauge {
  /** The page, counted; none is answered before so many have been asked for at once. */
  over(page: Page): Page
  most(): number
}

/** Pages wait until `together` are asked for at once, which once is enough, and then a moment, so that more could come. */
export function gauge(together: number, momentMs = 20): Gauge {
  let inFlight = 0
  let most = 0
  let open = (): void => undefined
  const met = new Promise<void>((resolve) => (open = resolve))
  return {
    over: (inner) => async (visit, answer) => {
      inFlight += 1
      most = Math.max(most, inFlight)
      if (inFlight >= together) open()
      await met
      await visit.later(momentMs)
      inFlight -= 1
      await inner(visit, answer)
    },
    most: () => most,
  }
}

/** A job that has ended. */
export interface EndedJob {
  readonly id: string
  // As in `Answered`: tests look into answers by name.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly status: any
  /** Path and query of each result, sorted; whole URLs of other hosts. */
  readonly paths: readonly string[]
  /** Path and code of each error, sorted. */
  readonly errors: readonly string[]
  /** Path and reason of each URL skipped, sorted. */
  readonly skipped: readonly string[]
  readonly robotsBlocked: readonly string[]
}

type Kind = 'crawl' | 'batch/scrape'

/** Waits for the end of a job, by the stream of its events. */
export async function jobEnd(service: TestService, id: string, { kind = 'crawl', key = testKey }: { readonly kind?: Kind; readonly key?: string } = {}): Promise<EndedJob> {
  const headers = { authorization: `Bearer ${key}` }
  const stream = await fetch(`${service.base}/v2/${kind}/${id}/events`, { headers })
  if (!/event: (completed|failed|cancelled)\n/.test(await stream.text())) throw new Error(`The events of ${id} ended without an end.`)
  const { json: status } = await service.call('GET', `/v2/${kind}/${id}?limit=1000`, undefined, headers)
  const { json: found } = await service.call('GET', `/v2/${kind}/${id}/errors?skipped=true`, undefined, headers)
  const origin = new URL(status.data[0]?.metadata.sourceURL ?? found.errors[0]?.url ?? 'http://none').origin
  const short = (url: string): string => (url.startsWith(`${origin}/`) ? url.slice(origin.length) : url)
  return {
    id,
    status,
    paths: status.data.map(({ metadata }: { metadata: { sourceURL: string } }) => short(metadata.sourceURL)).sort(),
    errors: found.errors.map(({ url, code }: { url: string; code: string }) => `${short(url)} ${code}`).sort(),
    skipped: found.skipped.map(({ url, reason }: { url: string; reason: string }) => `${short(url)} ${reason}`).sort(),
    robotsBlocked: found.robotsBlocked.map(short).sort(),
  }
}

/** Starts a job; throws when it is refused. */
export async function startJob(service: TestService, kind: Kind, body: object, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const { status, json, text } = await service.call('POST', `/v2/${kind}`, body, headers)
  if (status !== 200) throw new Error(`${status} ${text}`)
  return json.id
}

/** Crawls to the end. */
export async function crawled(service: TestService, body: object): Promise<EndedJob> {
  return jobEnd(service, await startJob(service, 'crawl', body))
}

/** Scrapes a batch to the end. */
export async function batched(service: TestService, body: object): Promise<EndedJob> {
  return jobEnd(service, await startJob(service, 'batch/scrape', body), { kind: 'batch/scrape' })
}
