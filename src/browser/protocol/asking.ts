import type { Pipe } from './pipe.ts'

/** A protocol command. */
export interface Command {
  readonly method: string
  readonly params: object
  /** The bytes that the answer may have; a longer one becomes an error. */
  readonly most?: number
}

/** What is read of a message. */
export interface Message {
  readonly id?: number
  readonly sessionId?: string
  readonly method?: string
  readonly params?: Params
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

/** What is read of its parameters. */
export interface Params {
  readonly sessionId?: string
  readonly browserContextId?: string
  readonly worldName?: string
  readonly targetInfo?: { readonly targetId: string; readonly type: string; readonly browserContextId?: string; readonly openerId?: string }
}

// The driver's ids start at one.
const firstId = 1_000_000_000

/** Bytes of an answer to the driver or a client, who ask what scripts of callers want: larger ones, a few at a time, would exhaust the memory of all. */
const longestOfOthers = 128 * 1024 ** 2

/** Our own commands between those of the driver. */
export interface Asking {
  /** Resolves with the answer, even an error; the target may have gone. */
  ask(command: Command, sessionId: string): Promise<Message>
  /** Whether a command is one of ours, and still waits for its answer. */
  isAsked(id: number | undefined): boolean
  /** Whether a message answers one of our commands. */
  isAnswer(message: Message): boolean
  /** The session has gone, or will not answer any more. */
  lose(sessionId: string, why: string): void
  end(): void
  /** The bytes that the answer to a command may have, whoever sent it. */
  most(id: number): number
}

/** Sends commands of our own over a pipe. */
export function asking(pipe: Pipe): Asking {
  const waiting = new Map<number, { readonly sessionId: string; readonly most: number | undefined; readonly settle: (answer: Message) => void }>()
  let lastId = firstId
  const lose = (lost: (sessionId: string) => boolean, message: string): void => {
    for (const [id, { sessionId, settle }] of waiting) {
      if (!lost(sessionId)) continue
      waiting.delete(id)
      settle({ error: { message } })
    }
  }
  return {
    ask: ({ method, params, most }, sessionId) =>
      new Promise((settle) => {
        waiting.set(++lastId, { sessionId, most, settle })
        pipe.send({ id: lastId, sessionId, method, params })
      }),
    isAsked: (id) => id !== undefined && waiting.has(id),
    isAnswer(message) {
      if (message.id === undefined || message.id <= firstId) return false
      waiting.get(message.id)?.settle(message)
      waiting.delete(message.id)
      return true
    },
    lose: (gone, why) => lose((sessionId) => sessionId === gone, why),
    most: (id) => (waiting.has(id) ? (waiting.get(id)?.most ?? Number.POSITIVE_INFINITY) : longestOfOthers),
    end: () => lose(() => true, 'Target closed'),
  }
}
