import { withRoom } from '../../app/body-room.ts'
import { forgetVersion, forgetVersions } from '../../app/changes/forget.ts'
import { versionAt, versionById, versionList } from '../../app/changes/read.ts'
import { limits } from '../../spec/limits.ts'
import type { routes } from '../../spec/routes.ts'
import { baseUrl } from '../base-url.ts'
import { type Edge, type Handler, json, type Reply } from './handler.ts'

/** How long a stored page may wait for memory. */
const storedMs = 60_000

function stored(read: () => Promise<Uint8Array>, edge: Edge): Promise<Reply> {
  const call = edge.call({ timeoutMs: storedMs, retention: 'normal' })
  return withRoom(edge.ports.bodies, call, async ({ room }) => {
    // Its size is only known after reading it.
    await room?.take(limits.storedBytes, call.signal)
    return json(await read())
  })
}

/** GET /v2/changes */
export const changes: Handler<typeof routes.changes> = async ({ query }, edge) => {
  const { ports, team, request, options } = edge
  const { at } = query
  if (at !== undefined) return stored(() => versionAt({ ...query, at }, ports, team), edge)
  return json(JSON.stringify(await versionList({ query, here: `${baseUrl(request, options.publicUrl)}/v2/changes` }, ports, team)))
}

/** GET /v2/changes/{id} */
export const changesVersion: Handler<typeof routes.changesVersion> = ({ params }, edge) => stored(() => versionById(params.id, edge.ports, edge.team), edge)

/** DELETE /v2/changes */
export const changesRemove: Handler<typeof routes.changesRemove> = async ({ query }, { ports, team }) => json(JSON.stringify(await forgetVersions(query, ports, team)))

/** DELETE /v2/changes/{id} */
export const changesVersionRemove: Handler<typeof routes.changesVersionRemove> = async ({ params }, { ports, team }) => {
  await forgetVersion(params.id, ports, team)
  return json('{"success":true}')
}
