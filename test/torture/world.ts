/**
 * A site to crawl, a receiver of webhooks, and the checks that must hold for a job, whatever happened to the service
 * meanwhile.
 */
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Answered, TestService } from '../service.ts'

/**
 * A site of numbered pages, each of which links to some others; all are reachable from the first. Counts its requests.
 */
export interface TortureSite {
  readonly url: string
  /** The URLs of all pages. */
  readonly pages: readonly string[]
  readonly hits: ReadonlyMap<string, number>
  /** Current requests, and the maximum at once. */
  readonly load: { readonly now: number; readonly most: number }
  close(): Promise<void>
}

/** A delivery as it arrived. */
export interface Arrived {
  readonly type: string
  readonly job: string
  readonly webhookId: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface TortureReceiver {
  readonly url: string
  readonly port: number
  readonly arrived: readonly Arrived[]
  close(): Promise<void>
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address() as AddressInfo // listening on a port
  return address.port
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const closing = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

/** The delay of an answer: milliseconds, or until the promise for that visit of the page resolves. */
export type Patience = number | ((path: string, visit: number) => Promise<unknown>)

/** The path of a page; some paths have a query, which makes them wait behind the others. */
function pathOf(number: number): string {
  if (number === 0) return '/'
  return number % 5 === 4 ? `/page-${number}?sort=up` : `/page-${number}`
}

/** Starts a site with that many pages. */
export async function tortureSite(count: number, patience: Patience = 0): Promise<TortureSite> {
  const hits = new Map<string, number>()
  const load = { now: 0, most: 0 }
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    const visit = (hits.get(path) ?? 0) + 1
    hits.set(path, visit)
    const number = path === '/' ? 0 : Number(/^\/page-(\d+)/.exec(path)?.[1] ?? Number.NaN)
    if (path !== pathOf(number)) return void response.writeHead(404).end()
    if (!(number < count)) return void response.writeHead(404).end()
    const links = [number * 3 + 1, number * 3 + 2, number * 3 + 3, number + 1].filter((n) => n < count).map((n) => `<li><a href="${pathOf(n)}">Page ${n}</a></li>`)
    const html = `<title>Page ${number}</title><main><h1>Page ${number}</h1><p>This is page number ${number} of the site, and this sentence makes it long enough to be a page.</p><p>Visit ${visit}.</p><ul>${links.join('')}</ul></main>`
    load.now += 1
    load.most = Math.max(load.most, load.now)
    // Also when the client has left.
    response.once('close', () => (load.now -= 1))
    const ready = typeof patience === 'number' ? pause(patience) : patience(path, visit)
    void ready.then(() => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html))
  })
  const url = `http://127.0.0.1:${await listening(server)}`
  return { url, hits, load, pages: Array.from({ length: count }, (_, i) => `${url}${pathOf(i)}`), close: () => closing(server) }
}

/** Starts a receiver that records every delivery; by default it answers 200. */
export async function tortureReceiver(answer: (response: ServerResponse) => void = (response) => void response.end()): Promise<TortureReceiver> {
  const arrived: Arrived[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const { type, id, webhookId } = JSON.parse(body) as { type: string; id: string; webhookId: string } // what the service sends
      arrived.push({ type, job: id, webhookId, headers: request.headers, body })
      answer(response)
    })
  })
  const port = await listening(server)
  return { url: `http://127.0.0.1:${port}/hook`, port, arrived, close: () => closing(server) }
}

/** The fields of a status answer that are used here. */
export interface Status {
  readonly status: string
  readonly total: number
  readonly completed: number
  readonly creditsUsed: number
  readonly next: string | null | undefined
  readonly data: readonly { readonly markdown: string; readonly metadata: { readonly sourceURL: string; readonly scrapeId: string } }[]
}

/** The answer, or null if the service was gone before it came. */
export async function unlessGone(work: Promise<Answered>): Promise<Answered | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

/** Watches a job over restarts of the service: what it once reported must stay true. */
export class Watched {
  completed = 0
  readonly order: string[] = []
  readonly id: string
  readonly kind: 'crawl' | 'batch/scrape'
  constructor(id: string, kind: Watched['kind'] = 'crawl') {
    this.id = id
    this.kind = kind
  }

  /** Polls once; null if the service is gone. Throws when something is no longer true. */
  async look(service: TestService): Promise<Status | null> {
    const answer = await unlessGone(service.call('GET', `/v2/${this.kind}/${this.id}`))
    if (answer === null) return null
    if (answer.status !== 200) throw new Error(`status of ${this.id}: ${answer.status} ${answer.text}`)
    const status: Status = answer.json
    if (status.completed < this.completed) throw new Error(`completed went down from ${this.completed} to ${status.completed}`)
    this.completed = status.completed
    status.data.forEach(({ metadata }, i) => {
      const known = this.order[i]
      if (known !== undefined && known !== metadata.scrapeId) throw new Error(`result ${i} was ${known} and is ${metadata.scrapeId}`)
      this.order[i] = metadata.scrapeId
    })
    return status
  }

  /** Polls until the job has ended; null if the service is gone. */
  async end(service: TestService, limitMs = 60_000): Promise<Status | null> {
    for (let waited = 0; waited < limitMs; waited += 20) {
      const status = await this.look(service)
      if (status === null || status.status !== 'scraping') return status
      await pause(20)
    }
    throw new Error(`job ${this.id} did not end: ${JSON.stringify(await this.look(service)).slice(0, 500)}`)
  }

  /** The faults at its end (see `faultsOfJob`), followed by the errors that the job lists if there are any faults. */
  async faults(service: TestService, end: Status, pages: readonly string[]): Promise<readonly string[]> {
    const faults = faultsOfJob(end, pages)
    return faults.length === 0 ? [] : [...faults, `errors ${(await unlessGone(service.call('GET', `/v2/${this.kind}/${this.id}/errors`)))?.text}`]
  }
}

/** A status with the documents of all its pages. */
export async function whole(service: TestService, first: Status): Promise<Status> {
  const data = [...first.data]
  for (let { next } = first; next; ) {
    const page: Status = (await service.call('GET', next.slice(service.base.length))).json
    data.push(...page.data)
    next = page.next
  }
  return { ...first, data }
}

/** What is wrong with a job that should have delivered exactly these pages; empty if nothing is. */
export function faultsOfJob(status: Status, pages: readonly string[]): readonly string[] {
  const urls = status.data.map(({ metadata }) => metadata.sourceURL)
  const faults: string[] = []
  if (status.status !== 'completed') faults.push(`status ${status.status}`)
  const missing = pages.filter((page) => !urls.includes(page))
  if (missing.length > 0) faults.push(`missing ${missing.join(' ')}`)
  if (new Set(urls).size !== urls.length) faults.push(`repeated ${urls.filter((url, i) => urls.indexOf(url) !== i).join(' ')}`)
  if (new Set(status.data.map(({ metadata }) => metadata.scrapeId)).size !== urls.length) faults.push('scrape ids repeat')
  if (urls.length !== pages.length || status.completed !== pages.length || status.total !== pages.length) faults.push(`${urls.length} documents, completed ${status.completed}, total ${status.total}, of ${pages.length}`)
  if (status.creditsUsed !== pages.length) faults.push(`credits ${status.creditsUsed} for ${pages.length}`)
  return faults
}

/**
 * What is wrong with the versions of the tracked pages of a job that ended, when all were new or other jobs had them
 * before; empty if nothing is.
 */
export async function faultsOfVersions(service: TestService, { data }: Status): Promise<readonly string[]> {
  const kept = await Promise.all(data.map(async ({ metadata }) => {
    const { json } = await service.call('GET', `/v2/changes?url=${encodeURIComponent(metadata.sourceURL)}`)
    const ids: readonly string[] = json.versions.map(({ id }: { readonly id: string }) => id)
    const news = json.versions.filter(({ changeStatus }: { readonly changeStatus: string }) => changeStatus === 'new').length
    return ids.filter((id) => id === metadata.scrapeId).length === 1 && news === 1 ? [] : [`versions of ${metadata.sourceURL}: ${JSON.stringify(json.versions)}`]
  }))
  return kept.flat()
}

/** What is wrong with the deliveries of a job of that many pages; empty if nothing is. */
export function faultsOfDeliveries(arrived: readonly Arrived[], job: string, pages: number): readonly string[] {
  const own = arrived.filter((one) => one.job === job)
  const bodies = new Map<string, string>()
  const faults: string[] = []
  for (const { webhookId, body } of own) {
    if ((bodies.get(webhookId) ?? body) !== body) faults.push(`${webhookId} came with two bodies`)
    bodies.set(webhookId, body)
  }
  const count = (type: string): number => new Set(own.filter((one) => one.type.endsWith(`.${type}`)).map((one) => one.webhookId)).size
  const events = { started: count('started'), page: count('page'), completed: count('completed') }
  if (events.started !== 1 || events.page !== pages || events.completed !== 1) faults.push(`events ${JSON.stringify(events)}`)
  if (own.length > 0 && !own[0]?.type.endsWith('.started')) faults.push(`first was ${own[0]?.type}`)
  const lastPage = own.map(({ type }) => type.endsWith('.page')).lastIndexOf(true)
  const end = own.findIndex(({ type }) => type.endsWith('.completed'))
  const seenBefore = new Set(own.slice(0, end).map((one) => one.webhookId))
  if (end >= 0 && own.slice(end, lastPage + 1).some((one) => one.type.endsWith('.page') && !seenBefore.has(one.webhookId))) faults.push('a page came first after the end')
  return faults
}
