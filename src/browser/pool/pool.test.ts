import { afterEach, expect, it, vi } from 'vitest'
import type { Call } from '../../domain/call.ts'
import { ServiceError } from '../../domain/errors.ts'
import { type BrowserPool, browserPool, type PoolOptions } from './pool.ts'
import type { Source } from '../chromium/source.ts'

afterEach(() => void vi.restoreAllMocks())

/** A pool that starts browsers with `launch`. */
function poolOf(launch: Source['launch']): BrowserPool {
  const source: Source = { launch, search: () => Promise.reject(new Error('nobody looks')), contextTunnel: () => null, sandbox: () => null }
  return browserPool({ source, clock: { now: Date.now }, say: () => undefined } as unknown as PoolOptions) // a source makes all else unnecessary
}

const callOf = (signal = new AbortController().signal): Call => ({ id: 'c', team: 't', signal, deadline: Date.now() + 10_000, retention: 'normal', log: () => undefined })
const visit = (pool: BrowserPool, call = callOf()): Promise<unknown> => pool.use({ context: {} }, async () => undefined, call).catch((error: unknown) => error)

it('a pool keeps no memory of visits that are over', async () => {
  // Node 20 keeps a reference to each signal that is derived from a long-lived one, as long as that lives.
  const any = vi.spyOn(AbortSignal, 'any')
  const pool = poolOf(() => Promise.reject(new ServiceError('BROWSER_NOT_CONFIGURED')))
  for (let i = 0; i < 3; i++) await visit(pool)
  const sources = any.mock.calls.flatMap(([signals]) => [...signals])
  expect(sources.length).toBeGreaterThan(0)
  expect(new Set(sources).size).toBe(sources.length)
  await pool.stop()
})

it('a pool that stops aborts visits and admits no more', async () => {
  let started = (): void => undefined
  const starting = new Promise<void>((resolve) => (started = resolve))
  const pool = poolOf(() => {
    started()
    return new Promise(() => undefined)
  })
  const under = visit(pool)
  await starting
  void pool.stop()
  expect(await under).toMatchObject({ code: 'SHUTTING_DOWN' })
  expect(await visit(pool)).toMatchObject({ code: 'SHUTTING_DOWN' })
})
