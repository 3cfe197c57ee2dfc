import { EventEmitter } from 'node:events'
import type { Browser } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Fleet, fleet, fleetLimits } from './fleet.ts'
import type { Launched } from '../chromium/launch.ts'
import type { Holding } from '../chromium/memory.ts'

const megabyte = 1024 ** 2
const never = new AbortController().signal

let log: string[]
let load: number
let held: Record<number, readonly Holding[]>
let failing: boolean

/** Fake browsers that record what is done to them. */
function launcher(): () => Promise<Launched> {
  let pid = 0
  return async () => {
    if (failing) throw new Error('does not start')
    const name = ++pid
    const events = new EventEmitter()
    const state = { connected: true }
    const end = (how: string): void => {
      if (!state.connected) return
      state.connected = false
      log.push(`${how} ${name}`)
      events.emit('disconnected')
    }
    const browser = Object.assign(events, { isConnected: () => state.connected, version: () => '1' }) as unknown as Browser // all that a fleet uses
    return { browser, pid: name, close: async () => end('closed'), kill: () => end('killed') }
  }
}

let crew: Fleet
beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  log = []
  load = 0.5
  held = {}
  failing = false
  crew = fleet({ launch: launcher(), limits: fleetLimits, now: Date.now, say: (event) => void log.push(event), gauges: { load: () => load, held: (pid) => held[pid] ?? [], kill: (id) => void log.push(`process ${id} killed`) } })
})
afterEach(async () => {
  await crew.stop()
  vi.useRealTimers()
})

const seat = (): ReturnType<Fleet['seat']> => crew.seat(false, never)
const renderer = (megabytes: number): Holding => ({ id: 77, bytes: megabytes * megabyte, renderer: true })

describe('a fleet on a machine whose memory is short', () => {
  it('starts no browser above four fifths of the memory, uses those that run, and starts again below', async () => {
    const seats = await Promise.all(Array.from({ length: 7 }, seat))
    load = 0.81
    seats.push(await seat())
    await expect(seat()).rejects.toMatchObject({ code: 'OVERLOADED', retryAfterSeconds: 5 })
    await expect(crew.seat(true, never)).rejects.toMatchObject({ code: 'OVERLOADED' })
    load = 0.8
    expect([(await seat()).pid, new Set(seats.map(({ pid }) => pid)), crew.size]).toEqual([2, new Set([1]), 2])
  })

  it('lets a browser above 1.5 GB finish its pages and then end, and assigns no more to it', async () => {
    const member = await seat()
    const other = await seat()
    held[1] = [renderer(900), { id: 1, bytes: 700 * megabyte, renderer: false }]
    await vi.advanceTimersByTimeAsync(600)
    expect((await seat()).pid).toBe(2)
    crew.leave(member)
    expect(log).not.toContain('closed 1')
    crew.leave(other)
    expect(log.filter((line) => line !== 'browser-started')).toEqual(['closed 1'])
  })

  it('ends a renderer above 1 GB but no other process, and the whole browser above 3 GB', async () => {
    await seat()
    held[1] = [renderer(1_100), { id: 1, bytes: 1_100 * megabyte, renderer: false }]
    await vi.advanceTimersByTimeAsync(500)
    expect(log).toEqual(['browser-started', 'browser-page-killed', 'process 77 killed'])
    held[1] = Array.from({ length: 4 }, () => renderer(800))
    await vi.advanceTimersByTimeAsync(500)
    expect([log.at(-1), crew.size]).toEqual(['killed 1', 0])
  })
})

describe('a fleet with old browsers', () => {
  it('gives a browser a hundred pages, lets the last ones finish, and uses another for the next', async () => {
    const seats = await Promise.all(Array.from({ length: 8 }, seat))
    for (let n = 8; n < 100; n++) {
      crew.leave(seats.shift() ?? (await seat()))
      seats.push(await seat())
    }
    expect(new Set(seats.map(({ pid }) => pid))).toEqual(new Set([1]))
    const [first, ...rest] = seats
    if (first !== undefined) crew.leave(first)
    expect([(await seat()).pid, crew.size]).toEqual([2, 2])
    for (const member of rest) crew.leave(member)
    expect([log.filter((line) => line.startsWith('closed')), crew.size]).toEqual([['closed 1'], 1])
  })

  it('uses a browser for half an hour', async () => {
    const member = await seat()
    await vi.advanceTimersByTimeAsync(29 * 60_000)
    expect((await seat()).pid).toBe(1)
    crew.leave(member)
    await vi.advanceTimersByTimeAsync(61_000)
    expect(log).not.toContain('closed 1')
    crew.leave(member)
    expect(log).toContain('closed 1')
  })

  it('ends each browser that was idle for a minute, even if others are in use', async () => {
    const seats = await Promise.all(Array.from({ length: 9 }, seat))
    expect(crew.size).toBe(2)
    for (const member of seats.slice(1)) crew.leave(member)
    await vi.advanceTimersByTimeAsync(59_000)
    expect(crew.size).toBe(2)
    await vi.advanceTimersByTimeAsync(2_000)
    expect([log.at(-1), crew.size]).toEqual(['closed 2', 1])
  })

  it('ends the idle browser also after another did not start, or after its caller left', async () => {
    crew.leave(await seat())
    await vi.advanceTimersByTimeAsync(30_000)
    failing = true
    await expect(crew.seat(true, never)).rejects.toThrow('does not start')
    await expect(crew.seat(false, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
    await vi.advanceTimersByTimeAsync(31_000)
    expect([log.at(-1), crew.size]).toEqual(['closed 1', 0])
  })
})
