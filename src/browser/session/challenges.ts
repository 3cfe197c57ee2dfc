import type { Spoken } from '../branches.ts'
import type { Challenge, ChallengeAnswer } from '../proxy-auth.ts'

/** What of a client's line its questions need. */
export interface Asker {
  /** The client's session at a target whose questions it answers; null where it answers none. */
  sessionAt(targetId: string): string | null
  tell(message: Spoken): void
}

/**
 * What sites ask the clients of a session through us: of several who hold a request up Chromium asks one alone, and where that is our guard
 * of the page, the client is asked from here, as if the browser had.
 */
export interface Challenges {
  /** Asks the client for a name and password; null where it does not answer for that target. */
  ask(targetId: string, challenge: Challenge): Promise<ChallengeAnswer> | null
  /** Takes what a client sends for an answer; null where it is none of ours. Otherwise what the client hears of it. */
  take(params: Readonly<Record<string, unknown>>, sessionId: string | undefined): Spoken | null
  /** A client's session, or with none named the client, is there no more: what it was asked is not answered. */
  drop(sessionId?: string): void
}

/** Questions without an answer at most: a page can make the browser ask without end, and what it asks no more is not told. */
const mostOpen = 1_000

/** An answer as the protocol has it; null where it is none. */
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
      // The same for each question about a request, by which clients see that they have answered before.
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
