import type { Branch } from '../protocol/branches.ts'
import type { Spoken } from '../protocol/spoken.ts'
import type { Credentials } from '../protocol/proxy-auth.ts'
import type { Wire } from '../protocol/wire.ts'
import type { Challenges } from './challenges.ts'
import type { Pace } from './pace.ts'

/** What a client's connection needs of the session. */
export interface SessionHost {
  readonly wire: Pick<Wire, 'branch' | 'leave'>
  /** The session's own context. */
  readonly main: string
  /** All contexts of the session. */
  readonly contexts: Iterable<string> & { has(id: string): boolean }
  /** The session's credentials at the proxy; null when its browser does not use our proxy. */
  readonly credentials: Credentials | null
  /** Creates another context on the session's terms; returns its id. */
  newContext(): Promise<string>
  dropContext(id: string): Promise<void>
  /** The pace of the commands of all clients of the session. */
  readonly pace: Pace
  /** Settles when that page is guarded, or after a while; null when it is guarded already. */
  guarding(targetId: string): Promise<void> | null
  /** Whether the session has no room for a page beside those that it has and `coming` further ones. */
  isFull(coming: number): boolean
  /** Called when a client works on a page. */
  used(targetId: string): void
  /** Called when a client ends the session. */
  end(): void
}

/** Limits of one client. */
export interface ConnectionLimits {
  /** Bytes of a message. */
  readonly messageBytes: number
  /** Unanswered commands, and their bytes. */
  readonly commands: number
  readonly commandBytes: number
  /** Commands per second, and their bytes, of all clients of a session together; faster ones wait. */
  readonly commandRate: number
  readonly commandByteRate: number
  /** Bytes that the client has not read yet. */
  readonly backlogBytes: number
  /** Contexts created by one client. */
  readonly contexts: number
}

export const connectionLimits: ConnectionLimits = { messageBytes: 32 * 1024 ** 2, commands: 5_000, commandBytes: 64 * 1024 ** 2, commandRate: 1_000, commandByteRate: 32 * 1024 ** 2, backlogBytes: 64 * 1024 ** 2, contexts: 10 }

/** A page, worker or browser that a client may attach to. */
export interface Target {
  readonly targetId: string
  readonly type: string
  readonly browserContextId?: string
}

/** A protocol session of the client: what it is attached to. */
export interface Attached {
  readonly target: Target | null
  /** Whether it leads to the browser itself. */
  readonly root: boolean
  /** Whether the client answers sites' requests for credentials. */
  authorises: boolean
}

/** A command that the browser has not answered yet. */
export interface Asked {
  readonly method: string
  readonly bytes: number
}

/** The state of a client's connection. */
export interface ConnectionState {
  readonly host: SessionHost
  readonly limits: ConnectionLimits
  readonly branch: Branch
  readonly sessions: Map<string, Attached>
  /** Targets of the session that the client knows of. */
  readonly targets: Set<string>
  readonly asked: Map<number, Asked>
  readonly contexts: Set<string>
  /** Requests for which the proxy got our credentials. */
  readonly named: Set<string>
  readonly challenges: Challenges
  askedBytes: number
  /** Contexts that are being created. */
  coming: number
  tell(message: Spoken): void
  isOpen(): boolean
  cut(): void
}

/** Stands for the browser itself: commands without a session id go there. */
export const rootSession: Attached = { target: null, root: true, authorises: false }

/** Whether a target belongs to the client's session. */
export function isOwn({ host }: ConnectionState, target: Target | undefined): target is Target {
  return target?.browserContextId !== undefined && host.contexts.has(target.browserContextId)
}
