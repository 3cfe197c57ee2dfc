import { inPlace } from '../../app/admission.ts'
import { ServiceError } from '../../domain/errors.ts'
import { limits } from '../../spec/limits.ts'
import type { MapRequest } from '../../spec/map.ts'
import type { routes } from '../../spec/routes.ts'
import { type Edge, type Handler, json } from './handler.ts'

const timeoutOf = (request: MapRequest): number => request.timeout ?? limits.mapTimeoutDefault

/** Calls report an expired deadline uniformly; a map has an error code of its own for it. */
function asMapError(error: unknown): unknown {
  return error instanceof ServiceError && error.code === 'SCRAPE_TIMEOUT' ? new ServiceError('MAP_TIMEOUT') : error
}

async function run(request: MapRequest, { id, warnings }: { readonly id: string; readonly warnings: readonly string[] }, edge: Edge): Promise<Uint8Array> {
  const { ports } = edge
  const call = edge.call({ timeoutMs: timeoutOf(request), retention: 'normal' })
  return inPlace(ports.admission, call, () => ports.map({ id, request, warnings }, call)).catch((error: unknown) => {
    throw asMapError(error)
  })
}

/** POST /v2/map */
export const map: Handler<typeof routes.map> = async ({ body: request, warnings }, edge) =>
  json(await edge.once({ until: edge.ports.now() + timeoutOf(request), keepable: true }, ({ id }) => run(request, { id, warnings }, edge)))
