import { EventEmitter } from 'node:events'
import type { PoolClient } from 'pg'
import { describe, expect, it, vi } from 'vitest'
import { StoreAway } from '../../domain/errors.ts'
import { connecting, isAway, isRefusal } from './away.ts'

const fault = (code: string, severity?: string): Error => Object.assign(new Error(code), { code }, severity === undefined ? {} : { severity })
const client = {} as PoolClient // nothing of it is used

/**
 * A pool that fails with these errors, one after the other, before it returns a connection; and the time that passes.
 */
function refusing(...faults: readonly Error[]): { readonly connect: () => Promise<PoolClient>; readonly asked: () => number; readonly time: () => number } {
  let [time, asked] = [0, 0]
  const pool = {
    on: () => undefined,
    options: { max: 10 },
    connect: async () => {
      const refused = faults[asked++]
      if (refused !== undefined) throw refused
      return client
    },
  }
  const pace = { now: () => time, sleep: async (ms: number) => void (time += ms) }
  return { connect: connecting(pool as unknown as Parameters<typeof connecting>[0], pace), asked: () => asked, time: () => time } // the overload that is used
}

describe('an unavailable store', () => {
  it('is distinguished from a statement that is itself at fault', () => {
    expect(['08006', '53300', '53100', '57014', '57P01', '57P02', '57P03', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'].filter((code) => !isAway(fault(code)))).toEqual([])
    expect(['08P01', '25006'].filter((code) => !isAway(fault(code, code === '25006' ? 'ERROR' : 'FATAL')))).toEqual([])
    // All tables are made at the start: an empty database has taken the place of ours.
    expect(isAway(fault('42P01', 'ERROR'))).toBe(true)
    // Ours was dropped, and comes back with a backup.
    expect(isAway(fault('3D000', 'FATAL'))).toBe(true)
    expect(isAway(fault('08P01', 'ERROR'))).toBe(false)
    expect(['23505', '40001', '42601', '25P03', 'ENOENT', 'ERR_INVALID_ARG_TYPE'].filter((code) => isAway(fault(code)))).toEqual([])
    expect([isAway(new Error('no code')), isAway('no error')]).toEqual([false, false])
  })

  it('is distinguished from a store that can never hold a value', () => {
    expect(['22021', '22003', '23505', '54000'].filter((code) => !isRefusal(fault(code, 'ERROR')))).toEqual([])
    expect(['40001', '42601', '53100', '57014', '22021'].filter((code) => isRefusal(fault(code, code === '22021' ? 'FATAL' : 'ERROR')))).toEqual([])
  })

  it('is retried for a connection while it starts', async () => {
    const { connect, asked } = refusing(fault('ECONNREFUSED'), fault('57P03', 'FATAL'), fault('53300', 'FATAL'))
    expect([await connect(), asked()]).toEqual([client, 4])
  })

  it('is waited for by many at once without a warning of the runtime', async () => {
    const warnings: Error[] = []
    const note = (warning: Error): void => void warnings.push(warning)
    process.on('warning', note)
    const callers = 20
    let asked = 0
    const pool = { on: () => undefined, options: { max: callers }, connect: async () => (asked++ < callers ? Promise.reject(fault('ECONNREFUSED')) : client) }
    const connect = connecting(pool as unknown as Parameters<typeof connecting>[0]) // the overload that is used
    await Promise.all(Array.from({ length: callers }, connect))
    await new Promise(setImmediate)
    process.off('warning', note)
    expect(warnings).toEqual([])
  })

  it('is given up after two seconds of outage, not two seconds per caller', async () => {
    const { connect, asked, time } = refusing(...Array.from({ length: 50 }, () => fault('ECONNREFUSED')))
    await expect(connect()).rejects.toBeInstanceOf(StoreAway)
    expect(time()).toBeGreaterThan(1_500)
    for (let n = 0; n < 10; n++) await expect(connect()).rejects.toThrow('ECONNREFUSED')
    expect(time()).toBeLessThanOrEqual(2_000)
    expect(asked()).toBeLessThan(25)
  })

  it('is given up after two seconds though the clock of the system is set back meanwhile', async () => {
    let back = 0
    const right = Date.now
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => right() - back)
    let asked = 0
    const pool = {
      on: () => undefined,
      options: { max: 10 },
      // After three seconds there is a server again: nobody may still be waiting for it.
      connect: async () => {
        if (asked === 1) back = 3_600_000
        return asked++ < 14 ? Promise.reject(fault('ECONNREFUSED')) : client
      },
    }
    vi.resetModules() // Otherwise it has taken the clock of before.
    const { connecting: anew } = await import('./away.ts')
    const connect = anew(pool as unknown as Parameters<typeof connecting>[0]) // as above
    await expect(connect().finally(() => clock.mockRestore())).rejects.toThrow('ECONNREFUSED')
  })

  it('gets the full waiting time again after it was back', async () => {
    const { connect, time } = refusing(...Array.from({ length: 8 }, () => fault('ECONNREFUSED')), ...Array.from({ length: 2 }, () => fault('57P03', 'FATAL')))
    await connect().catch(() => undefined)
    const before = time()
    expect(await connect()).toBe(client)
    expect(time() - before).toBeLessThan(200)
  })

  it('that accepts no more connections is not asked for more than it has accepted, for five seconds', async () => {
    let [time, asked] = [0, 0]
    const pool = Object.assign(new EventEmitter(), {
      options: { max: 10 },
      connect: async () => {
        if (asked++ === 3) throw fault('53300', 'FATAL')
        if (asked <= 3) pool.emit('connect')
        return client
      },
    })
    const connect = connecting(pool as unknown as Parameters<typeof connecting>[0], { now: () => time, sleep: async (ms) => void (time += ms) }) // as above
    for (let n = 0; n < 4; n++) await connect()
    expect(pool.options.max).toBe(3)
    time += 4_000
    await connect()
    expect(pool.options.max).toBe(3)
    time += 1_100
    await connect()
    expect(pool.options.max).toBe(10)
  })

  it('includes a login that is refused after another was accepted, and errors of the files of the server', async () => {
    let asked = 0
    const pool = { on: () => undefined, options: { max: 10 }, connect: async () => (asked++ === 0 ? client : Promise.reject(fault(asked % 2 === 0 ? '28000' : '55000', 'FATAL'))) }
    let time = 0
    const connect = connecting(pool as unknown as Parameters<typeof connecting>[0], { now: () => time, sleep: async (ms) => void (time += ms) }) // as above
    await connect()
    await expect(connect()).rejects.toBeInstanceOf(StoreAway)
    expect(time).toBeGreaterThan(1_500)
    expect(['58030', '58P01'].filter((code) => !isAway(fault(code, 'ERROR')))).toEqual([])
  })

  it('does not include the refusal of a password', async () => {
    const { connect, asked } = refusing(fault('28P01', 'FATAL'))
    await expect(connect()).rejects.not.toBeInstanceOf(StoreAway)
    expect(asked()).toBe(1)
  })
})
