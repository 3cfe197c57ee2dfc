import type { Action, ActionResults } from '../../domain/actions.ts'
import { untilAborted } from '../../lib/deadline.ts'
import { withTimeout } from '../../lib/with-timeout.ts'
import type { Tab } from '../page/tab.ts'
import { settle } from '../page/wait.ts'
import { GoneError, StuckError } from '../page/world.ts'

/** Why an action could not be done, for the caller to read. */
export class ActionError extends Error {}

type Writable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] }

/** What an action is done on, what it may still use up, and where its result goes. */
export interface Stage {
  readonly tab: Tab
  readonly signal: AbortSignal
  /** Milliseconds that actions still have. */
  left(): number
  /** What is left for all actions together. */
  readonly budget: { waitMs: number; bytes: number }
  /** Longest HTML that is kept of a page. */
  readonly maxBytes: number
  readonly results: Writable<ActionResults>
}

/** Does one kind of action. Throws `ActionError` when it cannot be done; rejects with the stage's signal's reason. */
export type ActionHandler<T extends Action['type']> = (action: Extract<Action, { type: T }>, stage: Stage) => Promise<void>

/** How long a script of ours may take on a page that is not busy otherwise. */
const busyMs = 5_000

/** The value of an expression in our own world of the page. Throws `ActionError` when the page is too busy to answer. */
export async function ask<T>({ tab, left }: Stage, expression: string): Promise<T> {
  try {
    return await tab.world.evaluate<T>(expression, Math.max(1, Math.min(busyMs, left())))
  } catch (error) {
    if (error instanceof StuckError) throw new ActionError('The page keeps the browser too busy to be acted on.', { cause: error })
    throw error
  }
}

/** Counts what a result takes. Throws `ActionError` when all of them take more than is kept. */
export function spend({ budget }: Stage, bytes: number): void {
  budget.bytes -= bytes
  if (budget.bytes < 0) throw new ActionError('The results of the actions are larger than what is kept of them (50 MB together).')
}

/** Rejects with `ActionError` when a step takes longer than actions have; nobody waits for the step then. */
export async function inTime<T>(stage: Pick<Stage, 'left' | 'signal'>, step: Promise<T>, limitMs = Number.POSITIVE_INFINITY): Promise<T> {
  return withTimeout(untilAborted(step, stage.signal), Math.max(1, Math.min(limitMs, stage.left())), late)
}

function late(): never {
  throw new ActionError('The page did not respond in time.')
}

/** Less than for a page that has just been opened: what an action sets off begins at once. */
const patience = { quietMs: 100, thinQuietMs: 100, richCapMs: 3_000, thinCapMs: 3_000, arrivalCapMs: 3_000 }

/** Waits until what an action has set off is there: another document, or what was asked of the network. */
export async function calm({ tab, left, signal }: Stage): Promise<void> {
  await settle(tab, Math.max(1, Math.min(5_000, left())), signal, patience)
}

/** Documents that may take the place of the one at hand while something is done with it. */
const mostGone = 3

/** The outcome of work that leaves a document as it is; done again where another takes its place meanwhile, once that is there. */
export async function onceThere<T>(stage: Stage, work: () => Promise<T>): Promise<T> {
  for (let gone = 0; ; gone++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof GoneError) || gone >= mostGone || stage.left() <= 0 || stage.tab.page.isClosed()) throw error
      await calm(stage)
    }
  }
}
