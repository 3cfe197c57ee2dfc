import type { Call, Room } from '../domain/call.ts'

/** Memory of the process for large bodies. */
export interface BodyRoom {
  /** The part of one call; `close` gives everything back and must be called when nothing of it is held any more. */
  open(team: string): Room & { close(): void }
  /** Bytes held, and calls that wait. */
  load(): { readonly bytes: number; readonly waiting: number }
}

export interface BodyRoomOptions {
  /** Bytes to be held at once. What is larger is let in when nothing else is there. */
  readonly bytes: number
  /** The largest body: this much is kept free of any one team, so that others need not wait for its bodies. */
  readonly largest: number
}

interface Waiter {
  readonly team: string
  readonly bytes: number
  readonly start: () => void
}

/** Shares memory between calls, first come first served; a team that has its part lets others pass. */
export function bodyRoom({ bytes: limit, largest }: BodyRoomOptions): BodyRoom {
  const used = new Map<string, number>()
  const waiting = new Set<Waiter>()
  let total = 0

  const count = (team: string, bytes: number): void => {
    total += bytes
    const left = (used.get(team) ?? 0) + bytes
    if (left === 0) used.delete(team)
    else used.set(team, left)
  }
  const teamFits = ({ team, bytes }: Waiter): boolean => !used.has(team) || (used.get(team) ?? 0) + bytes <= limit - largest

  const pump = (): void => {
    for (const waiter of waiting) {
      if (!teamFits(waiter)) continue
      // Smaller ones behind it wait too: else they would keep it out for ever.
      if (total > 0 && total + waiter.bytes > limit) return
      waiting.delete(waiter)
      waiter.start()
    }
  }

  return {
    open(team) {
      let held = 0
      let closed = false
      const hold = (bytes: number): void => {
        // What ends after its call has nothing to give back any more.
        if (closed) return
        held += bytes
        count(team, bytes)
      }
      const give = (bytes: number): void => {
        hold(-Math.min(bytes, held))
        pump()
      }
      return {
        take: (bytes, signal) =>
          new Promise((resolve, reject) => {
            if (signal.aborted) return reject(signal.reason)
            if (held > 0 || closed) return resolve(hold(bytes))
            const stop = (): void => {
              waiting.delete(waiter)
              reject(signal.reason)
              pump()
            }
            const start = (): void => {
              signal.removeEventListener('abort', stop)
              resolve(hold(bytes))
            }
            const waiter: Waiter = { team, bytes, start }
            signal.addEventListener('abort', stop, { once: true })
            waiting.add(waiter)
            pump()
          }),
        add: hold,
        give,
        close: () => {
          give(held)
          closed = true
        },
      }
    },
    load: () => ({ bytes: total, waiting: waiting.size }),
  }
}

/** Does work whose large bodies are counted until it has ended. */
export async function withRoom<T>(bodies: BodyRoom, call: Call, work: (call: Call) => Promise<T>): Promise<T> {
  const room = bodies.open(call.team)
  const { clock } = call
  const pausing = clock && { ...room, take: (bytes: number, signal: AbortSignal): Promise<void> => room.take(bytes, signal).finally(clock.pause()) }
  try {
    return await work({ ...call, room: pausing ?? room })
  } finally {
    room.close()
  }
}
