import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Session } from '../../domain/sessions/sessions.ts'
import { closeSession } from './close.ts'
import type { Live, SessionPorts } from './ports.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A session whose state takes these milliseconds to read and to write; and what becomes of its profile. */
function slow({ readMs, writeMs }: { readonly readMs: number; readonly writeMs: number }) {
  const became: string[] = []
  const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
  const profile = {
    async save() {
      await after(writeMs)
      became.push('saved')
      return 'saved'
    },
    release: async () => void became.push('released'),
  }
  const session = { id: 's', team: 't', startedAt: 0 } as Session // what is read of it
  const live = { session, profile, over: new AbortController(), interpreters: { close: async () => undefined }, browser: { state: async () => after(readMs).then(() => ({ state: {}, warnings: [] })), close: async () => undefined }, lastUsedAt: 0, end: null, ending: null } as unknown as Live // what is used of it
  const ports = { sessions: { end: async () => session }, retentionMs: 0, now: () => 0, log: (event: string, { reason }: { readonly reason?: string }) => void (reason !== undefined && became.push(`${event}: ${reason}`)) } as unknown as SessionPorts // what is used of them
  return { became, live, ports }
}

it('a profile that was read late still gets its time to be written', async () => {
  const { became, live, ports } = slow({ readMs: 4_000, writeMs: 9_000 })
  const closed = closeSession(live, 'expired', ports)
  await vi.advanceTimersByTimeAsync(13_000)
  await closed
  expect(became).toEqual(['saved', 'released'])
})

it('a stopping process does not wait that long', async () => {
  const { became, live, ports } = slow({ readMs: 4_000, writeMs: 9_000 })
  const closed = closeSession(live, 'stopped', ports)
  await vi.advanceTimersByTimeAsync(5_000)
  await closed
  expect(became).toEqual(['profile-not-saved: timeout', 'released'])
})

it.each(['lost', 'broken'] as const)('the profile of a session that is %s is not written: it may be that of another by now, or there is nothing to read', async (end) => {
  const { became, live, ports } = slow({ readMs: 1, writeMs: 1 })
  const closed = closeSession(live, end, ports)
  await vi.advanceTimersByTimeAsync(5_000)
  await closed
  expect(became).toEqual(['released'])
})

it('a session that ends twice at once is closed once, for the first reason', async () => {
  const { became, live, ports } = slow({ readMs: 1, writeMs: 1 })
  const ended: unknown[] = []
  const counting = { ...ports, sessions: { ...ports.sessions, end: async (...args: readonly unknown[]) => (ended.push(args), live.session) } } as unknown as SessionPorts // what is used of them
  const both = [closeSession(live, 'deleted', counting), closeSession(live, 'expired', counting)]
  await vi.advanceTimersByTimeAsync(5_000)
  await Promise.all(both)
  expect([live.end, ended, became]).toEqual(['deleted', [['s', expect.objectContaining({ end: 'deleted', at: 0, usedAt: 0 })]], ['saved', 'released']])
})

it('a browser that does not close is reported, after the end of its session was written', async () => {
  const { live, ports } = slow({ readMs: 1, writeMs: 1 })
  const stuck: Live = { ...live, browser: { ...live.browser, close: () => new Promise(() => undefined) } }
  const end = vi.fn(async () => live.session)
  const closed = closeSession(stuck, 'deleted', { ...ports, sessions: { ...ports.sessions, end } })
  const told = closed.catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await told).toMatchObject({ code: 'BROWSER_FAILURE', message: 'The session has ended, but its browser could not be confirmed gone.' })
  expect(end).toHaveBeenCalledOnce()
})
