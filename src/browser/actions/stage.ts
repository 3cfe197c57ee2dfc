import type { Action, ActionResults } from '../../domain/pages/actions.ts'
import { untilAborted } from '../../lib/deadline.ts'
import { withTimeout } from '../../lib/with-timeout.ts'
import type { Tab } from '../page/tab.ts'
import { settle } from '../page/wait.ts'
import { GoneError, StuckError } from '../page/world.ts'

/** Why an action failed, in words for the caller. */
export class ActionError extends Error {}

/** The request has no time left for an action. */
export class NoTimeError extends ActionError {}

type Writable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] }

/** The page that actions run on, their remaining budget, and their results. */
export interface Stage {
  readonly tab: Tab
  readonly signal: AbortSignal
  /** Milliseconds left for actions. */
  left(): number
  /** What is left for all actions together. */
  readonly budget: { waitMs: number; bytes: number }
  /** Longest HTML of a page that is kept, in bytes. */
  readonly maxBytes: number
  readonly results: Writable<ActionResults>
}

/** Performs one kind of action. Throws `ActionError` when it fails; rejects with the reason of the stage's signal. */
export type ActionHandler<T extends Action['type']> = (action: Extract<Action, { type: T }>, stage: Stage) => Promise<void>

/** Limit for one of our scripts on a page that is not busy otherwise. */
const busyMs = 5_000

/** Evaluates an expression in the isolated world of the page. Throws `ActionError` when the page is too busy to answer. */
export async function ask<T>({ tab, left }: Stage, expression: string): Promise<T> {
  try {
    return await tab.world.evaluate<T>(expression, Math.max(1, Math.min(busyMs, left())))
  } catch (error) {
    if (error instanceof StuckError) throw new ActionError('The page keeps the browser too busy to be acted on.', { cause: error })
    throw error
  }
}

/** Deducts the size of a result. Throws `ActionError` when all results together exceed the budget. */
export function spend({ budget }: Stage, bytes: number): void {
  budget.bytes -= bytes
  if (budget.bytes < 0) throw new ActionError('The results of the actions are larger than what is kept of them (50 MB together).')
}

/** Rejects with `ActionError` when a step exceeds the time of actions or `limitMs`; the step itself goes on. */
export async function inTime<T>(stage: Pick<Stage, 'left' | 'signal'>, step: Promise<T>, limitMs = Number.POSITIVE_INFINITY): Promise<T> {
  return withTimeout(untilAborted(step, stage.signal), Math.max(1, Math.min(limitMs, stage.left())), late)
}

function late(): never {
  throw new ActionError('The page did not respond in time.')
}

/** What is done on a page, as far as it is waited for. */
type Underway = Pick<Stage, 'tab' | 'left' | 'signal'>

/** Shorter than for a page that was just opened: the effect of an action starts at once. */
const patience = { quietMs: 100, thinQuietMs: 100, waitingQuietMs: 100, richCapMs: 3_000, thinCapMs: 3_000, arrivalCapMs: 3_000 }

/** Waits until the effects of an action are complete: another document, or network requests. */
export async function calm({ tab, left, signal }: Underway): Promise<void> {
  await settle(tab, Math.max(1, Math.min(5_000, left())), signal, patience)
}

/** How often a document may be replaced while something is done with it. */
const mostGone = 10

/** The result of work that does not change the document; repeated when another document replaces it meanwhile. */
export async function onceThere<T>(stage: Underway, work: () => Promise<T>): Promise<T> {
  for (let gone = 0; ; gone++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof GoneError) || gone >= mostGone || stage.left() <= 0 || stage.tab.page.isClosed()) throw error
      await calm(stage)
    }
  }
}
