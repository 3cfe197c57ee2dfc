import type { Call, Room } from '../domain/call.ts'

/** Bounds the memory that large bodies take in this process. */
export interface BodyRoom {
  /** The share of one call. Call `close` once nothing of it is held any more: it frees everything. */
  open(team: string): Room & { close(): void }
  /** Bytes held, and calls waiting. */
  load(): { readonly bytes: number; readonly waiting: number }
}

export interface BodyRoomOptions {
  /** Bytes that may be held at once. A body larger than that is admitted when nothing else is held. */
  readonly bytes: number
  /** The largest body. This much is kept free of any single team, so that others need not wait for its bodies. */
  readonly largest: number
}

interface Waiter {
  readonly team: string
  readonly bytes: number
  readonly start: () => void
}

/** Shares memory between calls, first come, first served; a team at its limit is overtaken. */
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
      // Smaller ones behind it wait too; otherwise they would starve it.
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
        // Its memory was freed when the call closed.
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

/** Runs work, counting its large bodies until it has ended. */
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
