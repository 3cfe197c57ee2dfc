import { describe, expect, it } from 'vitest'
import { StoreAway } from '../domain/errors.ts'
import type { ProfileKey, ProfileRows, SavedProfile } from '../domain/sessions/profiles.ts'
import { limits } from '../spec/limits.ts'
import { memoryBlobs } from '../../test/fakes.ts'
import { profiles } from './profiles.ts'

/** Profiles over rows in memory, with a manual clock and heartbeat. */
function desk() {
  const saved = new Map<string, SavedProfile>()
  const locks = new Map<string, { token: string; until: number }>()
  const keys: ProfileKey[] = []
  const at = ({ team, name }: ProfileKey): string => `${team} ${name}`
  const clock = { ms: 1_000 }
  const holds = (key: ProfileKey, token: string): boolean => locks.get(at(key))?.token === token
  const rows: ProfileRows = {
    find: async (key) => saved.get(at(key)) ?? null,
    async lock(key, token, until, now) {
      keys.push(key)
      const other = locks.get(at(key))
      if (other !== undefined && other.until > now) return false
      locks.set(at(key), { token, until })
      return true
    },
    renew: async (key, token, until) => holds(key, token) && locks.set(at(key), { token, until }) === locks,
    beside: async (key) => {
      const others = [...saved].filter(([name]) => name.startsWith(`${key.team} `) && name !== at(key)).map(([, { bytes }]) => bytes)
      return { profiles: others.length, bytes: others.reduce((sum, bytes) => sum + bytes, 0) }
    },
    save: async (key, token, state) => (holds(key, token) && saved.set(at(key), state) === saved ? 'saved' : 'lost'),
    release: async (key, token) => void (holds(key, token) && locks.delete(at(key))),
    async remove(key, now) {
      if ((locks.get(at(key))?.until ?? 0) > now) return 'locked'
      const was = saved.get(at(key)) ?? 'absent'
      saved.delete(at(key))
      return was
    },
  }
  const beats = new Set<() => void>()
  const blobs = memoryBlobs()
  let tokens = 0
  const all = profiles({
    rows, blobs, quota: { profiles: 2, bytes: 100 * limits.profileBytes }, blobsInUse: async () => new Set(), leaseMs: 900, now: () => clock.ms, newToken: () => `token ${++tokens}`,
    every: (ms, work) => (expect(ms).toBe(300), beats.add(work), () => void beats.delete(work)),
  })
  const beat = async (): Promise<void> => {
    for (const one of beats) one()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { all, clock, beats, beat, keys, blobs, blobOf: () => [...saved.values()][0]?.blob ?? '' }
}

const text = (words: string): Uint8Array => new TextEncoder().encode(words)

describe('profiles', () => {
  it('return what was last saved, under a hash of their name', async () => {
    const { all, keys } = desk()
    const first = await all.lock('a', 'my shop')
    expect([first?.state, await all.load('a', 'my shop'), await first?.save(text('state'))]).toEqual([null, null, 'saved'])
    await first?.release()
    const second = await all.lock('a', 'my shop')
    expect([second?.state, await all.load('a', 'my shop'), await all.load('b', 'my shop')]).toEqual([text('state'), text('state'), null])

    expect([keys[0]?.name.length, keys[0]?.name.includes('shop')]).toEqual([64, false])
  })

  it('have one writer, whose heartbeat keeps the lock until it is released', async () => {
    const { all, clock, beat, beats } = desk()
    const first = await all.lock('a', 'n')
    clock.ms += 600
    await beat()
    clock.ms += 600
    expect([await all.lock('a', 'n'), await all.remove('a', 'n'), first?.lost.aborted]).toEqual([null, false, false])
    await first?.release()
    expect([beats.size, (await all.lock('a', 'n')) === null]).toEqual([0, false])
  })

  it('tell a writer that it lost the lock, and save nothing of it', async () => {
    const { all, clock, beat } = desk()
    const first = await all.lock('a', 'n')
    clock.ms += 900
    const second = await all.lock('a', 'n')
    await beat()
    expect([first?.lost.aborted, second?.lost.aborted, await first?.save(text('old'))]).toEqual([true, false, 'lost'])
    expect([await second?.save(text('new')), await all.load('a', 'n')]).toEqual(['saved', text('new')])
  })

  it('are limited in size', async () => {
    const { all } = desk()
    const lease = await all.lock('a', 'n')
    expect([await lease?.save(new Uint8Array(limits.profileBytes + 1)), await all.load('a', 'n')]).toEqual(['too-large', null])
  })

  it('are refused before use if the team has too many, but not if they already exist', async () => {
    const { all } = desk()
    for (const name of ['first', 'second']) {
      const lease = await all.lock('a', name)
      await lease?.save(text(name))
      await lease?.release()
    }
    await expect(all.lock('a', 'third')).rejects.toMatchObject({ code: 'PROFILE_QUOTA_EXCEEDED' })
    expect([(await all.lock('a', 'first'))?.state, (await all.lock('b', 'third'))?.state]).toEqual([text('first'), null])
    // A refused profile is not locked.
    expect(await all.remove('a', 'third')).toBe(true)
  })

  it('are not taken for new ones, which would replace them, while what was saved is not found; they can be deleted', async () => {
    const { all, blobs, blobOf } = desk()
    const lease = await all.lock('a', 'n')
    await lease?.save(text('login'))
    await lease?.release()
    await blobs.remove([blobOf()], async () => new Set(), -1)
    await expect(all.load('a', 'n')).rejects.toBeInstanceOf(StoreAway)
    await expect(all.lock('a', 'n')).rejects.toBeInstanceOf(StoreAway)
    // Nobody holds it.
    expect([await all.remove('a', 'n'), await all.load('a', 'n')]).toEqual([true, null])
  })

  it('are deleted with their bytes, whether they exist or not', async () => {
    const { all, blobs, blobOf } = desk()
    const lease = await all.lock('a', 'n')
    await lease?.save(text('secret'))
    await lease?.release()
    const blob = blobOf()
    expect([await all.remove('a', 'other'), await all.remove('a', 'n'), await all.remove('a', 'n')]).toEqual([true, true, true])
    expect([await all.load('a', 'n'), await blobs.get(blob)]).toEqual([null, null])
  })
})
