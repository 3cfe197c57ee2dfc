import { weightOf } from './weight.ts'

/** Limits per second. */
export interface PaceLimits {
  readonly messages: number
  readonly bytes: number
}

/** A rate limiter: what comes too fast waits. */
export interface Pace {
  /**
   * Admits a message of that size if possible, and returns null; otherwise returns in how many milliseconds to try again.
   */
  take(bytes: number): number | null
}

/**
 * A pace over a clock in milliseconds. A second's worth may come at once; a larger message is admitted too, and delays the
 * following ones.
 */
export function pace(limits: PaceLimits, now: () => number): Pace {
  const left = { messages: limits.messages, bytes: limits.bytes }
  let last = now()
  const filled = (part: keyof PaceLimits, seconds: number): number => Math.min(limits[part], left[part] + limits[part] * seconds)
  const missing = (part: keyof PaceLimits): number => (left[part] >= 1 ? 0 : ((1 - left[part]) / limits[part]) * 1_000)
  return {
    take(bytes) {
      const at = now()
      const seconds = (at - last) / 1_000
      last = at
      left.messages = filled('messages', seconds)
      left.bytes = filled('bytes', seconds)
      const wait = Math.max(missing('messages'), missing('bytes'))
      if (wait > 0) return Math.ceil(wait)
      left.messages -= 1
      left.bytes -= bytes
      return null
    },
  }
}

/** The limits of a client's commands, and their pace. */
export interface Paced {
  readonly pace: Pace
  /** Bytes of a message; unanswered commands, and their bytes. */
  readonly limits: { readonly messageBytes: number; readonly commands: number; readonly commandBytes: number }
  /** Number of commands that were passed on and are not answered yet. */
  underWay(): number
}

/** Passes on what a client sends, in order and at the pace of its session, each message with its weight. Waiting commands count against the limits. */
export function paced({ pace, limits, underWay }: Paced, take: (text: string, weight: number) => void, cut: () => void): { send(text: string): void; end(): void } {
  const waiting: { readonly text: string; readonly weight: number }[] = []
  let bytes = 0
  let timer: NodeJS.Timeout | undefined
  function work(): void {
    timer = undefined
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      const { text, weight } = next
      const ms = pace.take(Math.min(weight, limits.messageBytes))
      if (ms !== null) return void (timer = setTimeout(work, ms))
      waiting.shift()
      bytes -= text.length
      take(text, weight)
    }
  }
  return {
    send(text) {
      if (waiting.length + underWay() >= limits.commands || bytes + text.length > limits.commandBytes) return cut()
      waiting.push({ text, weight: weightOf(text) })
      bytes += text.length
      if (timer === undefined) work()
    },
    end() {
      clearTimeout(timer)
      waiting.length = 0
    },
  }
}
