import { ServiceError } from '../domain/errors.ts'
import type { Blobs } from '../domain/blobs.ts'
import { profileBytes, type ProfileKey, type ProfileLease, type ProfileQuota, type ProfileRows, type Profiles } from '../domain/sessions/profiles.ts'
import type { Store } from '../domain/store.ts'
import { removeErased } from './jobs/cancel.ts'
import { namedBlob } from './kept-blobs.ts'
import { sha256 } from '../lib/sha256.ts'

export interface ProfilePorts {
  readonly rows: ProfileRows
  readonly blobs: Blobs
  readonly blobsInUse: Store['blobsInUse']
  /** How much a team may store. */
  readonly quota: ProfileQuota
  /** How long the right to write outlives a process that died. */
  readonly leaseMs: number
  readonly now: () => number
  readonly newToken: () => string
  /** Calls `work` at intervals until the returned function is called. */
  readonly every: (ms: number, work: () => void) => () => void
}

/** Heartbeats per lease: two may be missed. */
const heartbeats = 3

const keyOf = (team: string, name: string): ProfileKey => ({ team, name: sha256(name) })

/** Profiles in rows and blobs; the holder of the right to write keeps it by a heartbeat (R8). */
export function profiles(ports: ProfilePorts): Profiles {
  const { rows, blobs, now, leaseMs, quota } = ports

  async function stateOf(key: ProfileKey): Promise<Uint8Array | null> {
    const saved = await rows.find(key)
    return saved && namedBlob(blobs, saved.blob)
  }

  async function roomForOne(key: ProfileKey): Promise<void> {
    const others = await rows.beside(key)
    if (others.profiles < quota.profiles && others.bytes < quota.bytes) return
    throw new ServiceError('PROFILE_QUOTA_EXCEEDED', `The team keeps ${others.profiles} profiles with ${others.bytes} bytes, and may keep ${quota.profiles} with ${quota.bytes}: delete one, or set \`saveChanges\` to false.`)
  }

  async function leased(key: ProfileKey, token: string): Promise<ProfileLease> {
    const lost = new AbortController()
    const stop = ports.every(leaseMs / heartbeats, () => {
      // When the store is briefly unavailable, the next heartbeat tries again; the token protects what is saved.
      rows.renew(key, token, now() + leaseMs).then((held) => void (held || lost.abort(new Error('profile lost'))), () => undefined)
    })
    const release = async (): Promise<void> => {
      stop()
      await rows.release(key, token)
    }
    try {
      const state = await stateOf(key)
      // Checked before any work whose result could not be saved.
      if (state === null) await roomForOne(key)
      return {
        state,
        lost: lost.signal,
        async save(fresh) {
          if (fresh.length > profileBytes) return 'too-large'
          return rows.save(key, token, { blob: await blobs.put(fresh), bytes: fresh.length, savedAt: now() }, quota)
        },
        release,
      }
    } catch (error) {
      await release()
      throw error
    }
  }

  return {
    load: (team, name) => stateOf(keyOf(team, name)),
    async lock(team, name) {
      const key = keyOf(team, name)
      const token = ports.newToken()
      return (await rows.lock(key, token, now() + leaseMs, now())) ? leased(key, token) : null
    },
    async remove(team, name) {
      const removed = await rows.remove(keyOf(team, name), now())
      if (removed === 'locked') return false
      // Cookies are as sensitive as passwords: they must not remain until the next sweep.
      if (removed !== 'absent') await removeErased([removed.blob], ports)
      return true
    },
  }
}
