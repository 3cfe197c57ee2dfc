import type { Call } from '../../domain/call.ts'
import { EndlessRedirects, ServiceError, Unreachable } from '../../domain/errors.ts'
import type { FetchAnswer, FetchRequest } from '../../domain/fetching/fetcher.ts'
import type { SitePorts } from './ports.ts'

/** How long after a connection that broke another is tried. */
const pauseMs = 1_000

/** Whether the fault may be gone in a moment: a connection broke while there is time left. */
function isFleeting(error: unknown, { signal }: Call): boolean {
  if (signal.aborted || !(error instanceof ServiceError) || error.code !== 'SCRAPE_SITE_ERROR') return false
  return !(error.cause instanceof EndlessRedirects || error.cause instanceof Unreachable)
}

/** Fetches a file for which, other than for a page, there is no second engine or proxy: once more where the connection broke. Throws what the fetcher throws. */
export async function fetchedOnceMore(request: FetchRequest, { fetcher, sleep }: Pick<SitePorts, 'fetcher' | 'sleep'>, call: Call): Promise<FetchAnswer> {
  const first = await fetcher.fetch(request, call).catch((error: unknown) => {
    if (!isFleeting(error, call)) throw error
    return null
  })
  if (first !== null && (first.late !== true || request.until?.aborted === true)) return first
  await sleep(pauseMs, call.signal)
  if (first === null) return fetcher.fetch(request, call)
  return fetcher.fetch(request, call).then((second) => (isLess(second, first) ? first : second), () => first)
}

/** Whether the second answer is another one, such as an error, or broke off, too, and sooner. */
const isLess = (second: FetchAnswer, first: FetchAnswer): boolean => second.status !== first.status || (second.late === true && second.body.length < first.body.length)
