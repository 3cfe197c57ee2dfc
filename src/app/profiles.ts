import { createHash } from 'node:crypto'
import type { Blobs } from '../domain/ports.ts'
import { profileBytes, type ProfileKey, type ProfileLease, type ProfileRows, type Profiles } from '../domain/profiles.ts'
import type { Store } from '../domain/store.ts'
import { removeErased } from './jobs/cancel.ts'

export interface ProfilePorts {
  readonly rows: ProfileRows
  readonly blobs: Blobs
  readonly blobsInUse: Store['blobsInUse']
  /** How long the right to write outlives a process that has died. */
  readonly leaseMs: number
  readonly now: () => number
  readonly newToken: () => string
  /** Does something at intervals until the function that it answers is called. */
  readonly every: (ms: number, work: () => void) => () => void
}

/** Beats within a lease: two may be missed. */
const heartbeats = 3

const keyOf = (team: string, name: string): ProfileKey => ({ team, name: createHash('sha256').update(name).digest('hex') })

/** Profiles as rows and blobs; whoever may write one keeps that right by a heartbeat (R8). */
export function profiles(ports: ProfilePorts): Profiles {
  const { rows, blobs, now, leaseMs } = ports

  async function stateOf(key: ProfileKey): Promise<Uint8Array | null> {
    const saved = await rows.find(key)
    return saved && blobs.get(saved.blob)
  }

  async function leased(key: ProfileKey, token: string): Promise<ProfileLease> {
    const lost = new AbortController()
    const stop = ports.every(leaseMs / heartbeats, () => {
      // Where the store is away for a moment the next beat tries again; the token guards what is saved.
      rows.renew(key, token, now() + leaseMs).then((held) => void (held || lost.abort(new Error('profile lost'))), () => undefined)
    })
    const release = async (): Promise<void> => {
      stop()
      await rows.release(key, token)
    }
    try {
      return {
        state: await stateOf(key),
        lost: lost.signal,
        async save(state) {
          if (state.length > profileBytes) return 'too-large'
          const saved = { blob: await blobs.put(state), bytes: state.length, savedAt: now() }
          return (await rows.save(key, token, saved)) ? 'saved' : 'lost'
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
      // Cookies are as good as passwords: they are not to lie about until the next sweep.
      if (removed !== 'absent') await removeErased([removed.blob], ports)
      return true
    },
  }
}
