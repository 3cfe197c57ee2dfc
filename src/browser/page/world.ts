import { withTimeout } from '../../lib/with-timeout.ts'
import type { PageSession } from '../protocol/page-session.ts'

/**
 * An isolated script world beside the page's own: the same document, but untouched prototypes. The page cannot patch
 * anything there (R21).
 */
export interface World {
  /**
   * Evaluates an expression and awaits its promise. Rejects with `GoneError` when the document is replaced meanwhile, with
   * `StuckError` when the page's thread is busy for longer than `limitMs`.
   */
  evaluate<T>(expression: string, limitMs: number): Promise<T>
  /** The same for a value that stays in the page: its handle; undefined when it is no object. */
  handle(expression: string, limitMs: number): Promise<string | undefined>
  /** The id of the world in the current document. Rejects with `GoneError` when there is none at the moment. */
  context(): Promise<number>
}

/** The document has been replaced. */
export class GoneError extends Error {}
/** The page's thread is busy, or its process has gone. */
export class StuckError extends Error {}

/** Why a command to a document failed: mostly because it was replaced; not if its process crashed. */
export const goneBy = (error: unknown): Error => (error instanceof Error && /crashed/i.test(error.message) ? error : new GoneError('document gone', { cause: error }))

// What the browser answers to a command that meets a document which is just being replaced.
const replaced = /not attached to an active page|target navigated or closed/i

/** Waits for a command to a page. Rejects with `GoneError` when the document is replaced meanwhile. */
export async function unlessGone<T>(command: Promise<T>): Promise<T> {
  try {
    return await command
  } catch (error) {
    if (error instanceof Error && replaced.test(error.message)) throw new GoneError('document gone', { cause: error })
    throw error
  }
}

/** Waits for work in a page. Rejects with `StuckError` when it takes longer; the work itself continues. */
export function unlessStuck<T>(work: Promise<T>, limitMs: number): Promise<T> {
  return withTimeout(work, limitMs, () => {
    throw new StuckError('page busy')
  })
}

/** Scripts added to new documents under this name share the world. */
export const worldName = 'w'

interface Evaluated {
  readonly result: { readonly value?: unknown; readonly objectId?: string }
  readonly exceptionDetails?: { readonly text: string; readonly exception?: { readonly description?: string } }
}

/** Creates the world of a name in the main frame of the session's page, or finds it there, and again for each document. */
export function isolatedWorld(cdp: PageSession, name: string = worldName): World {
  let known: Promise<number> | null = null
  const forget = (): void => void (known = null)
  // Tells of new documents. Otherwise an error would tell, one message later.
  cdp.on('Page.frameNavigated', ({ frame }) => {
    if (frame.parentId === undefined) forget()
  })

  function context(): Promise<number> {
    known ??= cdp.send('Page.createIsolatedWorld', { frameId: cdp.targetId, worldName: name }).then(
      ({ executionContextId }) => executionContextId,
      (error: unknown) => {
        forget()
        throw goneBy(error)
      },
    )
    return known
  }

  async function run(expression: string, byValue: boolean): Promise<Evaluated> {
    try {
      return await cdp.send('Runtime.evaluate', { expression, contextId: await context(), returnByValue: byValue, awaitPromise: true })
    } catch (error) {
      forget()
      throw goneBy(error)
    }
  }

  async function limited(expression: string, limitMs: number, byValue: boolean): Promise<Evaluated['result']> {
    const { result, exceptionDetails } = await unlessStuck(run(expression, byValue), limitMs)
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result
  }

  return {
    context,
    evaluate: async <T>(expression: string, limitMs: number) => (await limited(expression, limitMs, true)).value as T, // our own expressions: the caller knows their type
    handle: async (expression, limitMs) => (await limited(expression, limitMs, false)).objectId,
  }
}
