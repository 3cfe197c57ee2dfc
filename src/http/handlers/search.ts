import type { Claimed } from '../../domain/teams/repeats.ts'
import type { routes } from '../../spec/routes.ts'
import { isKept, type SearchRequest } from '../../spec/search.ts'
import { baseUrl } from '../base-url.ts'
import { type Edge, type Handler, json } from './handler.ts'
import { leftBehind } from './stored.ts'

async function run(request: SearchRequest, { id, again, warnings }: Claimed & { readonly warnings: readonly string[] }, edge: Edge): Promise<Uint8Array> {
  const { ports } = edge
  const call = edge.call({ timeoutMs: request.timeout, retention: isKept(request) ? 'normal' : 'zero' })
  return (again ? await leftBehind(id, edge, call) : null) ?? ports.search({ id, again, request, warnings, baseUrl: baseUrl(edge.request, edge.options.publicUrl) }, call)
}

/** POST /v2/search */
export const search: Handler<typeof routes.search> = async ({ body: request, warnings }, edge) =>
  json(await edge.once({ until: edge.ports.now() + request.timeout, keepable: isKept(request) }, (own) => run(request, { ...own, warnings }, edge)))
