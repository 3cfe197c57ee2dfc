import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { document, page, type Page, type Pages } from './site/page.ts'
import { type Site, startSite } from './site/index.ts'
import { testKey, type TestService } from './service.ts'

const words = '<p>The harbour office keeps the tide tables of the last hundred years here. They are read by sailors, fishers and those who build at the shore.</p>'

/** A page with these links. */
export const linksTo = (...links: readonly string[]): Page => page(document(`Links ${links.length}`, `<main><h1>Harbour</h1>${words}<ul>${links.map((link, i) => `<li><a href="${link.replaceAll('&', '&amp;')}">Page ${i}</a></li>`).join('')}</ul></main>`))

/** A page without links for each path. */
export const leaves = (...paths: readonly string[]): Pages => Object.fromEntries(paths.map((path) => [path, page(document(path, `<main><h1>${path}</h1>${words}</main>`))]))

/** The paths `/p/0`, `/p/1` and so on. */
export const numbered = (count: number, folder = '/p'): readonly string[] => Array.from({ length: count }, (_, i) => `${folder}/${i}`)

/** Starts a site with these pages; it closes when the test finishes. */
export async function siteWith(pages: Pages): Promise<Site> {
  const site = await startSite(pages)
  onTestFinished(() => site.close())
  return site
}

/** A folder for a store that outlives its service; it is removed when the test finishes. */
export function dataDirOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Measures how many requests are in flight at once. */
export interface Gauge {
  /**
   * Wraps a page so that its requests are counted. No page answers before `together` requests were in flight at once.
   */
  over(page: Page): Page
  most(): number
}

/**
 * A gauge whose pages wait until `together` requests have been in flight at once (the first time is enough), and then
 * another moment for more to arrive.
 */
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

/** A job at its end. */
export interface EndedJob {
  readonly id: string
  // As in `Answered`: tests access the fields of answers by name.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly status: any
  /** Path and query of each result, sorted; the whole URL if the host is another one. */
  readonly paths: readonly string[]
  /** Path and code of each error, sorted. */
  readonly errors: readonly string[]
  /** Path and reason of each skipped URL, sorted. */
  readonly skipped: readonly string[]
  readonly robotsBlocked: readonly string[]
}

type Kind = 'crawl' | 'batch/scrape'

/** Waits for the end of a job on its event stream. */
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

/** Starts a job and returns its id; throws when the service refuses it. */
export async function startJob(service: TestService, kind: Kind, body: object, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const { status, json, text } = await service.call('POST', `/v2/${kind}`, body, headers)
  if (status !== 200) throw new Error(`${status} ${text}`)
  return json.id
}

/** Runs a crawl to its end. */
export async function crawled(service: TestService, body: object): Promise<EndedJob> {
  return jobEnd(service, await startJob(service, 'crawl', body))
}

/** Runs a batch scrape to its end. */
export async function batched(service: TestService, body: object): Promise<EndedJob> {
  return jobEnd(service, await startJob(service, 'batch/scrape', body), { kind: 'batch/scrape' })
}
