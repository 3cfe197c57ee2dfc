import type { CdpChannel } from '../../domain/sessions/sandbox.ts'
import { handleBrowserMessage } from './browser-messages.ts'
import { written, type Spoken } from '../protocol/spoken.ts'
import { type Challenges, challenges } from './challenges.ts'
import { handleCommand } from './client-commands.ts'
import type { ConnectionLimits, ConnectionState, SessionHost } from './connection-state.ts'
import { paced } from './pace.ts'

/** A client's connection that can also be asked for a site's credentials. */
export interface ClientConnection extends CdpChannel {
  readonly ask: Challenges['ask']
}

/**
 * Opens a connection for a client, separate from ours and filtered by an allow-list. What the client opened and created
 * ends with it. Rejects when the browser has gone.
 */
export async function clientConnection(host: SessionHost, limits: ConnectionLimits, backlog: () => number = () => 0): Promise<ClientConnection> {
  let listener: ((message: string) => void) | null = null
  let ended = (): void => undefined
  let open = true
  const closed = new Promise<void>((resolve) => (ended = resolve))
  const early: string[] = []
  const close = (): void => {
    if (!open) return
    open = false
    listener = null
    inbox.end()
    connection.challenges.drop()
    branch.close()
    for (const id of contexts) void host.dropContext(id).catch(() => undefined)
    ended()
  }
  const contexts = new Set<string>()
  const tell = (message: Spoken): void => {
    if (!open) return
    if (backlog() > limits.backlogBytes) return close()
    const text = written(message)
    if (listener === null) early.push(text)
    else listener(text)
  }
  const branch = await host.wire.branch({ message: (message) => open && handleBrowserMessage(connection, message), closed: close })
  const sessions: ConnectionState['sessions'] = new Map()
  const sessionAt = (targetId: string): string | null => [...sessions].find(([, { target, authorises }]) => authorises && target?.targetId === targetId)?.[0] ?? null
  const connection: ConnectionState = { host, limits, branch, sessions, challenges: challenges({ sessionAt, tell }), targets: new Set(), asked: new Map(), contexts, named: new Set(), askedBytes: 0, coming: 0, tell, isOpen: () => open, cut: close }
  const inbox = paced({ pace: host.pace, limits, underWay: () => connection.asked.size }, (text, weight) => handleCommand(connection, text, weight), close)
  return {
    closed,
    close,
    ask: connection.challenges.ask,
    send: (text) => void (open && inbox.send(text)),
    onMessage(next) {
      listener = next
      if (next !== null) for (const text of early.splice(0)) next(text)
    },
  }
}
