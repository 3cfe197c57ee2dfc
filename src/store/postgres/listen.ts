import type { Client } from 'pg'

const reconnectMs = 1_000
/** How often the connection is tried: one that only listens never finds out by itself that it has broken. */
const trialMs = 15_000

/** Learns of changes to the queue that other processes make. */
export interface Listening {
  /** Starts listening; does nothing if it does already. */
  start(): void
  close(): Promise<void>
}

/** Listens on its own connection and reconnects when that drops or falls silent; calls `changed` for each notice, and after each gap. */
export function listening(connect: () => Client, changed: () => void, tryMs = trialMs): Listening {
  let client: Client | undefined
  let timer: NodeJS.Timeout | undefined
  let trial: NodeJS.Timeout | undefined
  let state: 'idle' | 'on' | 'closed' = 'idle'

  const lost = (from: Client): void => {
    if (client !== from) return
    client = undefined
    clearTimeout(trial)
    // The socket may be dead already; it only has to be released.
    from.end().catch(() => undefined)
    if (state === 'on') timer = setTimeout(open, reconnectMs).unref()
  }
  const tryLater = (made: Client): void => {
    if (client !== made) return
    trial = setTimeout(() => void made.query('select 1').then(() => tryLater(made), () => lost(made)), tryMs).unref()
  }
  const open = (): void => {
    const made = connect()
    client = made
    made.on('error', () => lost(made))
    made.on('end', () => lost(made))
    made.on('notification', changed)
    made.connect().then(() => made.query('listen trawl_queue')).then(() => {
      changed()
      tryLater(made)
    }, () => lost(made))
  }
  return {
    start: () => {
      if (state !== 'idle') return
      state = 'on'
      open()
    },
    close: async () => {
      state = 'closed'
      clearTimeout(timer)
      clearTimeout(trial)
      const last = client
      client = undefined
      await last?.end().catch(() => undefined)
    },
  }
}
