import { inPlace } from '../../app/admission.ts'
import type { routes } from '../../spec/routes.ts'
import type { Claimed } from '../../domain/teams/repeats.ts'
import { asScrape } from '../../spec/parse.ts'
import { baseUrl } from '../base-url.ts'
import { type Handler, json } from './handler.ts'
import { leftBehind } from './stored.ts'

/** POST /v2/parse */
export const parse: Handler<typeof routes.parse> = async ({ body: options, file, warnings }, edge) => {
  const { ports } = edge
  const retention = options.zeroDataRetention ? 'zero' : 'normal'
  const run = async ({ id, again }: Claimed): Promise<Uint8Array> => {
    const call = edge.call({ timeoutMs: options.timeout, retention })
    return (again ? await leftBehind(id, edge, call) : null) ?? inPlace(ports.admission, call, ({ waitedMs }) => ports.parse({ id, request: asScrape(options, file.name), file, warnings, queuedMs: waitedMs, baseUrl: baseUrl(edge.request, edge.options.publicUrl) }, call))
  }
  return json(await edge.once({ until: ports.now() + options.timeout, keepable: retention === 'normal' }, run))
}
