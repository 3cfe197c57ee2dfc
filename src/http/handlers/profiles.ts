import { ServiceError } from '../../domain/errors.ts'
import { type Edge, json, type Reply } from './handler.ts'

/** DELETE /v2/browser/profiles/{name} and its alias */
export async function profileRemove({ params }: { readonly params: { readonly name: string } }, { ports, team }: Edge): Promise<Reply> {
  if (!(await ports.profiles.remove(team, params.name))) throw new ServiceError('PROFILE_LOCKED')
  return json('{"success":true}')
}
