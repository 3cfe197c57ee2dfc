import type { Spoken } from '../protocol/spoken.ts'
import type { Challenge, ChallengeAnswer } from '../protocol/proxy-auth.ts'

/** What is needed of a client's connection. */
export interface Asker {
  /** The client's session at a target for which it answers challenges; null when it answers none. */
  sessionAt(targetId: string): string | null
  tell(message: Spoken): void
}

/**
 * Passes sites' requests for credentials on to a session's clients. Of several sessions that intercept a request, Chromium
 * asks only one; when it asks the guard of the page, the client is asked from here, as if by the browser.
 */
export interface Challenges {
  /** Asks the client for a name and password; null when it does not answer for that target. */
  ask(targetId: string, challenge: Challenge): Promise<ChallengeAnswer> | null
  /**
   * Handles a client's answer; null when it answers none of our questions. Otherwise returns the response to the client.
   */
  take(params: Readonly<Record<string, unknown>>, sessionId: string | undefined): Spoken | null
  /** A client's session has ended, or, without an id, the client has: its open questions stay unanswered. */
  drop(sessionId?: string): void
}

/** Most open questions: a page can make the browser ask endlessly. Further ones are not passed on. */
const mostOpen = 1_000

/** An answer as the protocol defines it; null when it is invalid. */
function answerIn(value: unknown): ChallengeAnswer | null {
  const { response, username = '', password = '' } = (value ?? {}) as { readonly response?: ChallengeAnswer['response']; readonly username?: unknown; readonly password?: unknown } // looked at, not believed
  if (response === 'ProvideCredentials') return typeof username === 'string' && typeof password === 'string' ? { response, username, password } : null
  return response === 'Default' || response === 'CancelAuth' ? { response } : null
}

export function challenges({ sessionAt, tell }: Asker): Challenges {
  const open = new Map<string, { readonly sessionId: string; answer(answer: ChallengeAnswer): void }>()
  return {
    ask(targetId, challenge) {
      const sessionId = sessionAt(targetId)
      if (sessionId === null) return null
      const [oldest] = open
      if (oldest !== undefined && open.size >= mostOpen) {
        open.delete(oldest[0])
        oldest[1].answer({ response: 'CancelAuth' })
      }
      // The same id for each question about a request: clients recognise by it that they have answered before.
      const requestId = `guard-${challenge.requestId}`
      const answered = new Promise<ChallengeAnswer>((answer) => open.set(`${sessionId} ${requestId}`, { sessionId, answer }))
      tell({ method: 'Fetch.authRequired', params: { ...challenge, requestId }, sessionId })
      return answered
    },
    take({ requestId, authChallengeResponse }, sessionId) {
      const name = `${sessionId} ${String(requestId)}`
      const question = open.get(name)
      if (question === undefined) return null
      const answer = answerIn(authChallengeResponse)
      if (answer === null) return { error: { code: -32602, message: 'Invalid parameters' } }
      open.delete(name)
      question.answer(answer)
      return { result: {} }
    },
    drop(sessionId) {
      for (const [name, question] of open)
        if (sessionId === undefined || question.sessionId === sessionId) {
          open.delete(name)
          question.answer({ response: 'CancelAuth' })
        }
    },
  }
}
