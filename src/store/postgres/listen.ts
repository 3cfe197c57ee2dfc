import type { Client } from 'pg'

const reconnectMs = 1_000

/** Learns of changes to the queue that other processes make. */
export interface Listening {
  /** Starts listening; does nothing if it does already. */
  start(): void
  close(): Promise<void>
}

/** Listens on its own connection and reconnects when that drops; calls `changed` for each notice, and after each gap. */
export function listening(connect: () => Client, changed: () => void): Listening {
  let client: Client | undefined
  let timer: NodeJS.Timeout | undefined
  let state: 'idle' | 'on' | 'closed' = 'idle'

  const lost = (from: Client): void => {
    if (client !== from) return
    client = undefined
    // The socket may be dead already; it only has to be released.
    from.end().catch(() => undefined)
    if (state === 'on') timer = setTimeout(open, reconnectMs).unref()
  }
  const open = (): void => {
    const made = connect()
    client = made
    made.on('error', () => lost(made))
    made.on('end', () => lost(made))
    made.on('notification', changed)
    made.connect().then(() => made.query('listen trawl_queue')).then(changed, () => lost(made))
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
      const last = client
      client = undefined
      await last?.end().catch(() => undefined)
    },
  }
}
