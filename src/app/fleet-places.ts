import { randomUUID } from 'node:crypto'
import type { Call } from '../domain/call.ts'
import type { Slots } from '../domain/team-slots.ts'
import { type Slots as Line, slots as line } from '../lib/slots.ts'

export interface FleetOptions {
  /** Counts places over the fleet. */
  readonly slots: Slots
  readonly teamPlaces: number
  readonly now: () => number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Does something again and again, so many milliseconds apart; answers what ends that. */
  readonly every: (ms: number, work: () => void) => () => void
}

/** A place lasts so long when its process dies, or cannot say that it is given back; it is renewed as long as it is in use. */
const leaseMs = 20_000
const renewMs = 5_000
/** So many of this process ask for a team, which is a write each time, and for whom free places are kept; the others stand in line behind. */
const asking = 8
const pollMs = 50

/** Places of teams over the whole fleet: answers what gives one back. Who gets it at the first question has not waited; `wait` is told of the others. */
export function fleetPlaces({ slots, teamPlaces, now, sleep, every }: FleetOptions) {
  const lines = new Map<string, Line>()

  async function inLine({ team, signal }: Call, given: () => Promise<boolean>, asked: boolean): Promise<void> {
    const own = lines.get(team) ?? line(asking)
    lines.set(team, own)
    // Who stands in line has asked long ago when it is his turn.
    const justAsked = asked && own.running < asking
    try {
      const leave = await own.enter({ team, signal })
      try {
        for (let pause = justAsked; pause || !(await given()); pause = false) await sleep(pollMs, signal)
      } finally {
        leave()
      }
    } finally {
      if (own.running === 0 && own.waiting === 0 && lines.get(team) === own) lines.delete(team)
    }
  }

  return async (call: Call, wait: (team: string, work: () => Promise<void>) => Promise<void>): Promise<() => void> => {
    // Not the id of the call, which callers may choose: two requests of one id would share a place, whosever they are.
    const holder = randomUUID()
    const given = (): Promise<boolean> => slots.acquire(call.team, holder, teamPlaces, now() + leaseMs, now())
    const asked = !lines.has(call.team)
    if (!asked || !(await given())) await wait(call.team, () => inLine(call, given, asked))
    const failed = (event: 'slot-renew-failed' | 'slot-release-failed') => (error: unknown) => call.log(event, { reason: String(error) })
    const rest = every(renewMs, () => void slots.renew(holder, now() + leaseMs).catch(failed('slot-renew-failed')))
    return () => {
      rest()
      void slots.release(holder).catch(failed('slot-release-failed'))
    }
  }
}
