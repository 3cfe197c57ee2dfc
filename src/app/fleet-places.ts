import { randomUUID } from 'node:crypto'
import type { Call } from '../domain/call.ts'
import type { Slots } from '../domain/teams/team-slots.ts'
import { type Slots as Line, slots as line } from '../lib/slots.ts'

export interface FleetOptions {
  /** Counts the places in use across the fleet. */
  readonly slots: Slots
  readonly teamPlaces: number
  readonly now: () => number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Repeats something every `ms`; returns the function that stops it. */
  readonly every: (ms: number, work: () => void) => () => void
}

/** How long a place stays taken if its process dies or cannot release it; renewed while in use. */
const leaseMs = 20_000
const renewMs = 5_000
/** At most so many calls per team poll the store, each poll being a write; the others queue behind them in this process. */
const asking = 8
const pollMs = 50

/** Places of teams across the fleet: returns the function that releases one. A call that gets a place at once has not waited; `wait` is called for the others. */
export function fleetPlaces({ slots, teamPlaces, now, sleep, every }: FleetOptions) {
  const lines = new Map<string, Line>()

  async function inLine({ team, signal }: Call, given: () => Promise<boolean>, asked: boolean): Promise<void> {
    const own = lines.get(team) ?? line(asking)
    lines.set(team, own)
    // A call that queued behind the polling ones asked long ago: it polls at once when its turn comes.
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
    // Not the call's id, which callers choose: two requests with the same id would share a place.
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
