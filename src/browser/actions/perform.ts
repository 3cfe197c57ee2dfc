import type { Action, ActionFailure, ActionResults } from '../../domain/pages/actions.ts'
import type { Call } from '../../domain/call.ts'
import { ServiceError } from '../../domain/errors.ts'
import { withoutCredentials } from '../../lib/url-of.ts'
import type { Tab } from '../page/tab.ts'
import { click } from './click.ts'
import { executeJavascript } from './javascript.ts'
import { press, write } from './keyboard.ts'
import { pdf } from './pdf.ts'
import { scrape } from './scrape.ts'
import { screenshot } from './screenshot.ts'
import { scroll } from './scroll.ts'
import { ActionError, type ActionHandler, NoTimeError, type Stage } from './stage.ts'
import { wait } from './wait.ts'

/** One handler per type: the build fails when one is missing. */
const handlers: { readonly [T in Action['type']]: ActionHandler<T> } = { wait, screenshot, click, write, press, scroll, scrape, executeJavascript, pdf }

/** The budget of a page's actions. */
export interface ActionTerms {
  /** Milliseconds that they may still take. */
  readonly left: () => number
  /** Milliseconds that they may wait; `waitFor` is already deducted. */
  readonly waitMs: number
  /** Longest HTML of a page that is kept, in bytes. */
  readonly maxBytes: number
}

/** Limit of all results of a page's actions, in bytes. */
const resultBytes = 50 * 1024 ** 2

/** Whether an action leaves no trace on the site, so that it may be repeated. */
export const isHarmless = ({ type }: Action): boolean => type === 'wait' || type === 'screenshot' || type === 'scroll' || type === 'scrape' || type === 'pdf'

/**
 * Performs actions on a page in order. Throws `SCRAPE_ACTION_ERROR` at the first one that fails, `SCRAPE_TIMEOUT` at the first
 * one that there is no time for, with an `ActionFailure` as details; rejects with the call's reason when that aborts.
 */
export async function performActions(tab: Tab, actions: readonly Action[], { left, waitMs, maxBytes }: ActionTerms, { signal }: Pick<Call, 'signal'>): Promise<ActionResults> {
  const stage: Stage = { tab, signal, left, maxBytes, budget: { waitMs, bytes: resultBytes }, results: { screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] } }
  for (const [index, action] of actions.entries()) {
    signal.throwIfAborted()
    try {
      if (left() <= 0) throw new NoTimeError('The request has no time left for this action.')
      await done(action, stage)
    } catch (error) {
      signal.throwIfAborted()
      throw await failed({ index, action, error }, stage)
    }
  }
  return stage.results
}

function done<T extends Action['type']>(action: Extract<Action, { type: T }>, stage: Stage): Promise<void> {
  const handler: ActionHandler<T> = handlers[action.type as T] // the type of the action determines it
  return handler(action, stage)
}

async function failed({ index, action, error }: { readonly index: number; readonly action: Action; readonly error: unknown }, stage: Stage): Promise<unknown> {
  // The loss of a page is reported by the guard of the page.
  if (stage.tab.page.isClosed() || error instanceof ServiceError) return error
  const message = error instanceof ActionError ? error.message : 'The page went away or did not respond while the action was done.'
  const details: ActionFailure = { index, type: action.type, message, seen: await seen(stage) }
  return new ServiceError(error instanceof NoTimeError ? 'SCRAPE_TIMEOUT' : 'SCRAPE_ACTION_ERROR', `Action ${index} (${action.type}) failed: ${message}`, { details, cause: error })
}

const lookMs = 1_500
const excerpt = String.raw`(() => {
  const own = (name) => Reflect.get(Document.prototype, name, document)
  const text = (own('body')?.innerText ?? '').replace(/\s+/g, ' ').trim()
  return { title: own('title').slice(0, 200), text: text.length > 500 ? text.slice(0, 500) + '\u2026' : text }
})()`

/** What was on the page; only its address when the page does not answer. */
async function seen({ tab }: Stage): Promise<ActionFailure['seen']> {
  const page = await tab.world.evaluate<{ readonly title: string; readonly text: string }>(excerpt, lookMs).catch(() => ({ title: '', text: '' }))
  return { url: withoutCredentials(tab.page.url()).slice(0, 2_000), ...page }
}
