import type { Page } from 'playwright-core'
import type { Call } from '../../domain/call.ts'
import { ServiceError } from '../../domain/errors.ts'
import { untilAborted } from '../../lib/deadline.ts'
import { type Guard, guard, PageFailure } from '../guards.ts'
import { openPage } from '../open-page.ts'
import { PageLost } from '../page-lost.ts'
import { type Room, RoomLost, type Rooms } from './rooms.ts'
import type { UseTerms, Work } from '../terms.ts'
import { within } from '../within.ts'

const closeMs = 1_000
/** How long to wait for a page that does not close while others share its context, which would be lost to them. */
const patienceMs = 5_000
// The driver reports a lost page to callers a moment before it says why.
const reasonMs = 500

const failures: Readonly<Record<PageFailure['kind'], string>> = {
  crashed: 'The page crashed or used up the memory that a page may have.',
  flooding: 'The page floods the browser with windows, dialogs or messages.',
  'forbidden address': 'The page leads to an address that is not of the web.',
  'unreachable address': 'The page leads to an address that cannot be reached, or is not allowed.',
}

/** An attempt at the work: its result, and a promise for its clean-up, which never rejects. */
export interface Attempt<T> {
  readonly answer: Promise<T>
  readonly cleared: Promise<void>
}

/**
 * Does the work in a page of its own. The result does not wait for the clean-up; it rejects with `RoomLost` when another
 * page is to blame.
 */
export function attempt<T>(places: Rooms, { terms, work, alone }: { readonly terms: UseTerms; readonly work: Work<T>; readonly alone: boolean }, call: Call): Attempt<T> {
  let cleared = Promise.resolve()
  const run = async (): Promise<T> => {
    const room = await places.enter(terms, alone, call.signal)
    const open: Open = { room, page: null, guard: null }
    let well = false
    try {
      const answer = await worked(open, work, call)
      well = true
      return answer
    } catch (error) {
      throw await explained(error, open, call.signal)
    } finally {
      cleared = clear(places, open, well)
    }
  }
  const answer = run()
  return { answer, cleared: answer.then(() => cleared, () => cleared) }
}

interface Open {
  readonly room: Room
  page: Page | null
  guard: Guard | null
}

/** Rejects with `RoomLost` when a room goes, until `rest` is called: a room that others go on to use would keep whatever is raced with that, answers included. */
function lostBy(gone: Promise<void>): { readonly lost: Promise<never>; rest(): void } {
  let lose = (): void => undefined
  const lost = new Promise<never>((_, reject) => void (lose = () => reject(new RoomLost())))
  lost.catch(() => undefined)
  void gone.then(() => lose())
  return { lost, rest: () => void (lose = () => undefined) }
}

async function worked<T>(open: Open, work: Work<T>, call: Call): Promise<T> {
  const { context, gone } = open.room
  const { lost, rest } = lostBy(gone)
  const opening = async (): Promise<Page> => {
    const page = await openPage(context)
    // Nobody waits for it any more, and others may stay in the room for long.
    if (call.signal.aborted) void page.close().catch(() => undefined)
    open.page = page
    open.guard = await guard(page, context, open.room)
    return page
  }
  try {
    const page = await untilAborted(Promise.race([opening(), lost]), call.signal)
    return await untilAborted(Promise.race([work(page, context, call), open.guard?.failed ?? lost, lost]), call.signal)
  } finally {
    rest()
  }
}

/** The error for the caller. */
async function explained(thrown: unknown, open: Open, signal: AbortSignal): Promise<unknown> {
  if (signal.aborted) return signal.reason
  const vague = thrown instanceof Error && !(thrown instanceof ServiceError) && /closed|crash|detached/i.test(thrown.message)
  const failure = vague ? await news(open, thrown) : thrown
  if (failure instanceof PageFailure && failure.kind === 'crashed') return new PageLost(failures.crashed, failure)
  return failure instanceof PageFailure ? new ServiceError('SCRAPE_SITE_ERROR', failures[failure.kind], { cause: failure }) : failure
}

/** Why the page has gone, if that is known in time; otherwise the original error. */
async function news({ room, guard: watch }: Open, thrown: Error): Promise<unknown> {
  let heard: unknown = thrown
  const lost = room.gone.then(() => void (heard = new RoomLost('', { cause: thrown })))
  const failed = watch?.failed.catch((why: unknown) => void (heard = why))
  await within(Promise.race(failed === undefined ? [lost] : [lost, failed]), reasonMs)
  return heard
}

/**
 * Cleans up with increasing force: closes the page, then its context, then the browser. Each step has a second, or longer
 * when others would lose their work.
 */
async function clear(places: Rooms, { room, page }: Open, well: boolean): Promise<void> {
  const whole = room.key === undefined
  // Closing the context also closes its page; only a page that went wrong is closed separately.
  const pageMs = room.guests > 1 ? patienceMs : closeMs
  if (page !== null && !(whole && well) && !room.closed && !(await within(page.close(), pageMs))) await places.end(room)
  await places.leave(room, well)
}
