import type { Command, Message } from './asking.ts'

const setAgent = 'Emulation.setUserAgentOverride'

/** How to reach the pages of a browser. */
interface Reach {
  /** What sets the identity of a context's documents. */
  documentsOf(contextId: string): readonly Command[]
  /** The driver's sessions of pages, with their contexts. */
  pages(): Iterable<readonly [sessionId: string, contextId: string]>
  tell(command: Command, sessionId: string): void
}

/** Keeps the identity of pages that sessions beside the driver's are attached to. */
export interface FurtherSessions {
  /** The browser has reported a session beside the driver's, or its end. */
  heard(message: Message): void
  /** Sessions have ended, of which the browser reports nothing. */
  left(): void
}

/** The platform alone, so that a session decides about nothing else. */
function platformOf(documents: readonly Command[]): Command | null {
  const agent = documents.find(({ method }) => method === setAgent)
  return agent === undefined || !('platform' in agent.params) ? null : { method: setAgent, params: { userAgent: '', platform: agent.params.platform } }
}

/**
 * Keeps `navigator.platform` of dressed pages. In Chromium the session that was attached to a page last decides about it at
 * each navigation, even if it never set it, and whichever ends takes it away.
 */
export function furtherSessions({ documentsOf, pages, tell }: Reach): FurtherSessions {
  function left(): void {
    for (const [sessionId, contextId] of pages()) for (const command of documentsOf(contextId)) if (command.method === setAgent) tell(command, sessionId)
  }
  return {
    heard({ method, params }) {
      if (method === 'Target.detachedFromTarget') return left()
      const { sessionId, targetInfo } = params ?? {}
      if (method !== 'Target.attachedToTarget' || sessionId === undefined || (targetInfo?.type !== 'page' && targetInfo?.type !== 'iframe')) return
      const platform = platformOf(documentsOf(targetInfo.browserContextId ?? ''))
      if (platform !== null) tell(platform, sessionId)
    },
    left,
  }
}
