import type { Versions } from '../../domain/pages/versions.ts'
import type { ForgetAnswer, ForgetQuery } from '../../spec/changes.ts'
import { type ErasurePorts, removeErased } from '../jobs/cancel.ts'
import { assertOwn, unknownId } from '../own.ts'
import { versionKey } from './previous.ts'

export interface ForgetPorts extends ErasurePorts {
  readonly versions: Pick<Versions, 'find' | 'remove' | 'removeSome'>
}

/** Versions deleted in one transaction. */
const batch = 200

/** Deletes a version and the bytes that nothing else names. Throws `NOT_FOUND`, and `FORBIDDEN` for another team's. */
export async function forgetVersion(id: string, ports: ForgetPorts, team: string): Promise<void> {
  const blobs = await ports.versions.remove(id, team)
  if (blobs !== null) return removeErased(blobs, ports)
  const version = await ports.versions.find(id)
  if (version !== null) assertOwn('version', version, team)
  throw unknownId('version')
}

/** Deletes all versions of a page. */
export async function forgetVersions({ url, tag }: ForgetQuery, ports: ForgetPorts, team: string): Promise<ForgetAnswer> {
  const key = versionKey(team, url, tag)
  let deleted = 0
  for (;;) {
    const { count, blobs } = await ports.versions.removeSome(key, batch)
    await removeErased(blobs, ports)
    deleted += count
    if (count < batch) return { success: true, deleted }
  }
}
