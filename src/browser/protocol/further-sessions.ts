import type { Command, Message } from './asking.ts'

const setAgent = 'Emulation.setUserAgentOverride'

/** What only one session of a page can set, each with what takes it back: the browser refuses it to any other. */
const exclusive: ReadonlyMap<string, object> = new Map([['Emulation.setLocaleOverride', {}], ['Emulation.setTimezoneOverride', { timezoneId: '' }]])

/** Such a command of the driver in one of its sessions, and whether another session may set it now. */
export interface Held {
  readonly command: Command
  left: boolean
}

/** Takes note of a command in one of the driver's sessions, where only one session of a page can set what it sets. */
export function note(held: Map<string, Held> | undefined, command: Command): void {
  if (exclusive.has(command.method)) held?.set(command.method, { command, left: false })
}

/** How to reach the pages of a browser. */
interface Reach {
  /** What sets the identity of a context's documents. */
  documentsOf(contextId: string): readonly Command[]
  /** The driver's sessions of pages, with their contexts and what they hold. */
  pages(): Iterable<readonly [sessionId: string, contextId: string, held: Iterable<Held>]>
  tell(command: Command, sessionId: string): Promise<Message>
}

/** Keeps the identity of pages that sessions beside the driver's are attached to. */
export interface FurtherSessions {
  /** The browser has reported a session beside the driver's, or its end. */
  heard(message: Message): void
  /** Sessions have ended, of which the browser reports nothing. */
  left(): void
  /** Takes back what the driver has set in a page, as another session is about to; it is set again when sessions end. */
  leave(held: Held, sessionId: string): void
}

/** The platform alone, so that a session decides about nothing else. */
function platformOf(documents: readonly Command[]): Command | null {
  const agent = documents.find(({ method }) => method === setAgent)
  return agent === undefined || !('platform' in agent.params) ? null : { method: setAgent, params: { userAgent: '', platform: agent.params.platform } }
}

/**
 * Keeps `navigator.platform`, the language and the time zone of dressed pages. In Chromium the session that was attached to a page last decides about the
 * first at each navigation, even if it never set it, and whichever ends takes it away; the others belong to the session that
 * set them first.
 */
export function furtherSessions({ documentsOf, pages, tell }: Reach): FurtherSessions {
  function left(): void {
    for (const [sessionId, contextId, held] of pages()) {
      for (const command of documentsOf(contextId)) if (command.method === setAgent) void tell(command, sessionId)
      // The browser refuses while another session still has it.
      for (const one of held) if (one.left) void tell(one.command, sessionId).then(({ error }) => void (one.left = error !== undefined))
    }
  }
  return {
    heard({ method, params }) {
      if (method === 'Target.detachedFromTarget') return left()
      const { sessionId, targetInfo } = params ?? {}
      if (method !== 'Target.attachedToTarget' || sessionId === undefined || (targetInfo?.type !== 'page' && targetInfo?.type !== 'iframe')) return
      const platform = platformOf(documentsOf(targetInfo.browserContextId ?? ''))
      if (platform !== null) void tell(platform, sessionId)
    },
    left,
    leave(held, sessionId) {
      held.left = true
      void tell({ method: held.command.method, params: exclusive.get(held.command.method) ?? {} }, sessionId)
    },
  }
}
