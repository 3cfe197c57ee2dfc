import type { Call } from '../domain/call.ts'
import type { Capture, Engine } from '../domain/pages/capture.ts'
import { fileKind, typeOfFile } from '../domain/pages/file-kind.ts'
import { type ScrapePorts, scrape } from './scrape/scrape.ts'
import type { ScrapeJob } from './scrape/settlement.ts'

/** A file to be parsed for a caller. */
export interface ParseJob extends ScrapeJob {
  readonly file: { readonly name: string; readonly type: string; readonly bytes: Uint8Array }
}

/** An engine that answers with the uploaded bytes. */
function sentAlong({ request, file }: ParseJob, now: () => number): Engine {
  const said = typeOfFile(file)
  const isPdf = fileKind({ headers: [['content-type', said]], body: file.bytes, url: request.url }) === 'pdf'
  const type = isPdf ? 'application/pdf' : said
  const capture = (): Capture => ({
    requestedUrl: request.url,
    url: request.url,
    status: 200,
    headers: type === '' ? [] : [['content-type', type]],
    body: file.bytes,
    engine: 'http',
    proxy: 'basic',
    tlsVerified: true,
    truncated: false,
    at: now(),
  })
  return { name: 'http', can: new Set(), cost: 0, fetch: async () => ({ kind: 'captured', capture: capture() }) }
}

/** Parses a file as a scrape reads a page, and returns the bytes of the response body. Nothing is fetched, and the cache is neither read nor written. Throws what a scrape throws. */
export function parse(job: ParseJob, ports: ScrapePorts, call: Call): Promise<Uint8Array> {
  const { file, ...rest } = job
  const own: ScrapePorts = { ...ports, engines: [sentAlong(job, ports.now)], shelf: null, lessons: null, pools: { basic: [], enhanced: [] } }
  return scrape({ ...rest, sourceFile: file.name }, own, call)
}
