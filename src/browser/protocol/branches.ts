import type { Pipe } from './pipe.ts'
import type { Spoken } from './spoken.ts'

/**
 * A connection over a browser's pipe that acts as if it were the only one, with message ids and sessions of its own.
 * Commands of a session that ends are answered with an error after the event that says so.
 */
export interface Branch {
  send(message: Spoken): void
  /** Leaves the browser; all sessions of the branch end. */
  close(): void
}

/** The listener of a branch. */
export interface BranchEnds {
  message(message: Spoken): void
  /** The browser has gone, or has ended the branch. */
  closed(): void
}

/** The branches of a pipe. */
export interface Branches {
  open(ends: BranchEnds): Promise<Branch>
  /** Whether a message of the browser belongs to a branch; if so, it is delivered. */
  take(message: Spoken): boolean
  end(): void
}

interface Twig {
  readonly ends: BranchEnds
  /** The branch's own session with the browser. */
  root: string
  readonly sessions: Set<string>
}

// Message ids have 31 bits. Lower ones belong to the driver and to the wire itself.
const firstId = 1_500_000_000
const lastId = 2 ** 31 - 1

/** Branches over a pipe: each is a session attached to the browser itself, with the sessions opened through it. */
export function branches(pipe: Pipe): Branches {
  const waiting = new Map<number, { readonly twig: Twig | null; readonly sessionId?: string | undefined; readonly answer: (message: Spoken) => void }>()
  const owners = new Map<string, Twig>()
  let number = firstId
  let opening = 0
  let over = false

  function next(): number {
    number = number >= lastId ? firstId + 1 : number + 1
    return number
  }
  function ask(message: Spoken): Promise<Spoken> {
    return new Promise((resolve) => {
      if (over) return resolve({ error: { message: 'Target closed' } })
      const id = next()
      waiting.set(id, { twig: null, answer: resolve })
      pipe.send({ ...message, id })
    })
  }
  function forget(twig: Twig): void {
    for (const session of twig.sessions) owners.delete(session)
    owners.delete(twig.root)
    for (const [id, one] of waiting) if (one.twig === twig) waiting.delete(id)
  }
  function lose(twig: Twig): void {
    forget(twig)
    twig.ends.closed()
  }

  function branchOf(twig: Twig): Branch {
    let open = true
    return {
      send({ id, sessionId, ...rest }) {
        if (!open || over) return
        const own = next()
        waiting.set(own, { twig, sessionId, answer: (message) => open && twig.ends.message({ ...withoutSession(message, twig), ...(id === undefined ? {} : { id }) }) })
        pipe.send({ ...rest, id: own, sessionId: sessionId ?? twig.root })
      },
      close() {
        if (!open) return
        open = false
        // Until the browser has detached it, late messages must not reach the driver.
        void ask({ method: 'Target.detachFromTarget', params: { sessionId: twig.root } }).then(() => forget(twig))
      },
    }
  }

  function hear(twig: Twig, message: Spoken): void {
    const child = String(message.params?.['sessionId'] ?? '')
    if (message.method === 'Target.attachedToTarget') {
      twig.sessions.add(child)
      owners.set(child, twig)
    }
    twig.ends.message(withoutSession(message, twig))
    if (message.method !== 'Target.detachedFromTarget') return
    twig.sessions.delete(child)
    owners.delete(child)
    // The browser does not answer what it had not done by then.
    for (const [id, one] of waiting) {
      if (one.sessionId !== child) continue
      waiting.delete(id)
      one.answer({ sessionId: child, error: { message: 'Target closed' } })
    }
  }

  return {
    async open(ends) {
      opening++
      const { result, error } = await ask({ method: 'Target.attachToBrowserTarget', params: {} }).finally(() => opening--)
      if (error !== undefined) throw new Error(error.message)
      const twig: Twig = { ends, root: (result as { readonly sessionId: string }).sessionId, sessions: new Set() } // the answer of the command
      owners.set(twig.root, twig)
      return branchOf(twig)
    },
    take(message) {
      const { id, method, params, sessionId } = message
      const asked = id === undefined ? undefined : waiting.get(id)
      if (id !== undefined && asked !== undefined) {
        waiting.delete(id)
        asked.answer(message)
        return true
      }
      if (id !== undefined) return id > firstId
      const owner = owners.get(sessionId ?? '')
      if (owner !== undefined) {
        hear(owner, message)
        return true
      }
      if (sessionId !== undefined) return false
      const left = method === 'Target.detachedFromTarget' ? owners.get(String(params?.['sessionId'])) : undefined
      if (left !== undefined) lose(left)
      const target = params?.['targetInfo'] as { readonly type?: string } | undefined // the parameter of that event
      return left !== undefined || (method === 'Target.attachedToTarget' && opening > 0 && target?.type === 'browser')
    },
    end() {
      over = true
      for (const { twig, answer } of waiting.values()) if (twig === null) answer({ error: { message: 'Target closed' } })
      waiting.clear()
      for (const twig of new Set(owners.values())) lose(twig)
    },
  }
}

/** A message as a client of the branch sees it: without the id of the branch's own session. */
function withoutSession(message: Spoken, { root }: Twig): Spoken {
  if (message.sessionId !== root) return message
  const { sessionId: _, ...rest } = message
  return rest
}
