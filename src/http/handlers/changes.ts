import { forgetVersion, forgetVersions } from '../../app/changes/forget.ts'
import { versionAt, versionById, versionList } from '../../app/changes/read.ts'
import type { routes } from '../../spec/routes.ts'
import { baseUrl } from '../base-url.ts'
import { type Handler, json } from './handler.ts'
import { stored } from './stored.ts'

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
