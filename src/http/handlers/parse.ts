import type { routes } from '../../spec/routes.ts'
import { asScrape } from '../../spec/parse.ts'
import { baseUrl } from '../base-url.ts'
import { type Handler, json } from './handler.ts'

/** POST /v2/parse */
export const parse: Handler<typeof routes.parse> = async ({ body: options, file, warnings }, edge) => {
  const { ports } = edge
  const retention = options.zeroDataRetention ? 'zero' : 'normal'
  const run = async (): Promise<Uint8Array> => {
    const call = edge.call({ timeoutMs: options.timeout, retention })
    const place = await ports.admission.enter(call)
    try {
      return await ports.parse({ id: ports.newId(), request: asScrape(options, file.name), file, warnings, queuedMs: place.waitedMs, baseUrl: baseUrl(edge.request, edge.options.publicUrl) }, call)
    } finally {
      place.release()
    }
  }
  return json(await edge.once({ until: ports.now() + options.timeout, keepable: retention === 'normal' }, run))
}
