import { ServiceError } from '../../domain/errors.ts'
import { untilAborted } from '../../lib/deadline.ts'
import type { Launched, Say } from '../chromium/launch.ts'
import { type Gauges, weighed } from '../chromium/memory.ts'

/** A browser of the fleet. */
export interface Member extends Launched {
  /** Number of pages opened so far; and of pages that are open. */
  pages: number
  seats: number
  /** Gets no new pages, and ends with its last one. */
  retiring: boolean
  readonly alone: boolean
  readonly since: number
  /** When a seat was last released. */
  used: number
}

export interface FleetLimits {
  /** Pages that are open at once in a browser, and pages after which it retires. */
  readonly seats: number
  readonly pages: number
  /** Memory from which on a browser retires; with twice as much it is killed. */
  readonly bytes: number
  readonly ageMs: number
  /** Memory from which on one of its renderers is killed. */
  readonly rendererBytes: number
  readonly idleMs: number
  /** Load of the machine's memory, 0 to 1, from which on no browser is started. */
  readonly memoryLoad: number
}

export const fleetLimits: FleetLimits = {
  seats: 8,
  pages: 100,
  bytes: 1_500 * 1024 ** 2,
  ageMs: 30 * 60_000,
  rendererBytes: 1024 ** 3,
  idleMs: 60_000,
  memoryLoad: 0.8,
}

/** The browsers: started on demand, ended when old, too large or unused for long. */
export interface Fleet {
  /** Takes a seat in a browser, in one of its own when `alone`. Throws `OVERLOADED`; rejects with the signal's reason. */
  seat(alone: boolean, signal: AbortSignal): Promise<Member>
  /** Takes another seat in that browser; false when it accepts no more. */
  join(member: Member): boolean
  leave(member: Member): void
  readonly size: number
  stop(): Promise<void>
}

export interface FleetOptions {
  readonly launch: () => Promise<Launched>
  readonly limits: FleetLimits
  readonly now: () => number
  readonly say: Say
  readonly gauges: Gauges
}

const lookMs = 500

export function fleet({ launch, limits, now, say, gauges }: FleetOptions): Fleet {
  const members = new Set<Member>()
  const ending = new Set<Promise<void>>()
  let starting: Promise<Member> | null = null
  let stopped = false
  let look: NodeJS.Timeout | undefined

  const open = (member: Member): boolean => !member.retiring && !member.alone && member.seats < limits.seats && member.browser.isConnected()

  async function begin(alone: boolean): Promise<Member> {
    if (gauges.load() > limits.memoryLoad) throw new ServiceError('OVERLOADED', 'The memory of the machine does not allow another browser.', { retryAfterSeconds: 5 })
    const began = now()
    const launched = await launch()
    const member: Member = { ...launched, pages: 0, seats: 0, retiring: false, alone, since: now(), used: now() }
    members.add(member)
    member.browser.once('disconnected', () => members.delete(member))
    say('browser-started', { ms: now() - began, version: member.browser.version() })
    if (stopped) end(member)
    look ??= setInterval(watch, lookMs).unref()
    return member
  }

  function end(member: Member): void {
    member.retiring = true
    members.delete(member)
    const ended = member.close().catch((error: unknown) => say('browser-end-failed', { reason: String(error) }))
    ending.add(ended)
    void ended.then(() => ending.delete(ended))
  }

  function watch(): void {
    for (const member of members) if (member.seats === 0 && now() - member.used > limits.idleMs) end(member)
    for (const member of members) if (member.pid !== null && member.seats > 0) weigh(member, member.pid)
    if (members.size > 0) return
    clearInterval(look)
    look = undefined
  }

  /** Retires a browser that uses too much memory; kills it when it uses far too much. */
  function weigh(member: Member, pid: number): void {
    const total = weighed(pid, limits.rendererBytes, { gauges, say })
    if (total > limits.bytes) member.retiring = true
    if (total > limits.bytes * 2) member.kill()
  }

  /** The caller may have left meanwhile. */
  async function takeOwn(beginning: Promise<Member>, signal: AbortSignal): Promise<Member> {
    beginning.then((member) => signal.aborted && end(member), () => undefined)
    return take(await untilAborted(beginning, signal))
  }

  function tired(member: Member): boolean {
    return member.alone || member.retiring || member.pages >= limits.pages || now() - member.since > limits.ageMs
  }

  return {
    async seat(alone, signal) {
      for (;;) {
        signal.throwIfAborted()
        if (stopped) throw new ServiceError('SHUTTING_DOWN')
        const ready = alone ? undefined : [...members].find(open)
        if (ready !== undefined) return take(ready)
        if (alone) return takeOwn(begin(true), signal)
        starting ??= begin(false).finally(() => (starting = null))
        await untilAborted(starting, signal)
      }
    },
    join(member) {
      if (!open(member)) return false
      take(member)
      return true
    },
    leave(member) {
      member.seats--
      member.used = now()
      if (member.seats === 0 && tired(member)) end(member)
      else if (tired(member)) member.retiring = true
    },
    get size() {
      return members.size
    },
    async stop() {
      stopped = true
      clearInterval(look)
      if (starting !== null) await starting.then(end, () => undefined)
      ;[...members].forEach(end)
      while (ending.size > 0) await Promise.all(ending)
    },
  }
}

function take(member: Member): Member {
  member.seats++
  member.pages++
  return member
}
