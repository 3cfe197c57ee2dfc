import { setTimeout as sleep } from 'node:timers/promises'
import { evaluated, type Place, placeIn, type Send, sure } from './places.ts'
import { foreignFrames, type Serialised, type SnapshotBudget, snapshotScript } from './snapshot-script.ts'
import type { Tab } from './tab.ts'
import { isWaiting } from './wait.ts'
import { type Look, lookScript } from './watch-script.ts'
import { unlessStuck } from './world.ts'

// Frames in frames: an embedded page may embed another.
const maxDepth = 3
// All frames together, and of the time that is left at most this share.
const mostMs = 5_000
const share = 0.5
// What a frame has fetched is shown a moment later.
const quietMs = 150
const mostQuietMs = 1_000
// One that says that it is loading is given longer, but the time to read it is kept.
const mostWaitMs = 3_500
const readMs = 1_000

/** What is left for the frames of a page. */
interface Allowance {
  frames: number
  nodes: number
  chars: number
  readonly end: number
}

interface Filling extends Serialised {
  /** The address of the frame's document. */
  readonly url: string
}

const group = 'foreign-frames'

/**
 * The document with what its frames of other origins show in their places. A frame stays as it is when it shows an error
 * or a bot check, or when the limits are reached; one that says that it is loading is waited for.
 */
export async function withForeignFrames({ cdp, world, wire }: Tab, taken: Serialised, budget: SnapshotBudget, leftMs: number): Promise<Serialised> {
  if (taken.frames.length === 0 || taken.truncated) return taken
  const allowance: Allowance = { frames: budget.maxFrames, nodes: budget.maxNodes - taken.nodes, chars: Math.min(budget.maxText, budget.maxChars) - taken.html.length, end: performance.now() + Math.min(mostMs, leftMs * share) }
  const send = sure(cdp.send.bind(cdp) as Send) // any command, by its name
  const fillings = async (place: Place, outer: Serialised, depth: number): Promise<Serialised> => {
    if (depth > maxDepth || outer.frames.length === 0) return outer
    const left = allowance.end - performance.now()
    const elements = await unlessStuck(elementsIn(place), Math.max(1, left))
    const filled = await Promise.all(outer.frames.map(async (_, i) => {
      const element = elements[i]
      if (element === undefined || allowance.frames-- <= 0) return null
      // One frame that fails must not cost the others.
      return inFrame(place, element, depth).catch(() => null)
    }))
    return filledIn(outer, filled)
  }
  const inFrame = async ({ send: outside }: Place, element: string, depth: number): Promise<Filling | null> => {
    const left = (): number => Math.max(1, allowance.end - performance.now())
    const place = await unlessStuck(placeIn(wire, outside, element), left())
    if (place === null) return null
    const most: SnapshotBudget = { ...budget, maxNodes: allowance.nodes, maxChars: allowance.chars, maxText: allowance.chars, maxFrames: allowance.frames, ms: left() * 0.6, unseenMs: left() * 0.2 }
    const ask = async <T>(expression: string): Promise<T> => (await unlessStuck(evaluated(place.send, 'Runtime.evaluate', { expression, contextId: place.context, awaitPromise: true, returnByValue: true }), left())).value as T // our own expressions: the caller knows what they give
    const look = await calmed(ask, allowance.end - readMs)
    if (look.challenge) return null
    const inner = await ask<Filling | null>(shown(most))
    if (inner === null || inner.nodes > allowance.nodes || inner.html.length > allowance.chars) return null
    allowance.nodes -= inner.nodes
    allowance.chars -= inner.html.length
    const whole = await fillings(place, inner, depth + 1).catch(() => inner)
    return { ...whole, waits: whole.waits === true || isWaiting(look), url: inner.url }
  }
  try {
    return await fillings({ send, context: await world.context() }, taken, 1)
  } catch {
    // The page has moved on since: its own document is taken.
    return taken
  } finally {
    cdp.send('Runtime.releaseObjectGroup', { objectGroup: group }).catch(() => undefined)
  }
}

/** Looks at a frame until it has not changed for a moment. The waiting is done here: where a frame's scripts may not run, its timers do not either. */
async function calmed(ask: <T>(expression: string) => Promise<T>, end: number): Promise<Look> {
  const begin = performance.now()
  for (;;) {
    const look = await ask<Look>(lookScript(0, 0))
    const waiting = isWaiting(look)
    if (!waiting && look.quietMs >= quietMs) return look
    const now = performance.now()
    if (now > end || now - begin > (waiting ? mostWaitMs : mostQuietMs)) return look
    await sleep(Math.max(0, quietMs - look.quietMs) + (waiting ? quietMs : 1))
  }
}

/** What a frame shows; null for errors, of its site or the browser's own. */
const shown = (budget: SnapshotBudget): string =>
  `((performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0) >= 400 || !/^(?:https?|about|data|blob):$/.test(location.protocol) ? null : ${snapshotScript(budget, 'frame')})`

/** The elements of the frames that a snapshot has found. */
async function elementsIn({ send, context }: Place): Promise<readonly string[]> {
  const { objectId } = await evaluated(send, 'Runtime.evaluate', { expression: foreignFrames, contextId: context, objectGroup: group })
  if (objectId === undefined) return []
  const { result } = (await send('Runtime.getProperties', { objectId, ownProperties: true })) as { readonly result: readonly { readonly name: string; readonly value?: { readonly objectId?: string } }[] } // the answer of the command
  return result.flatMap(({ name, value }) => (/^\d+$/.test(name) && value?.objectId !== undefined ? [value.objectId] : []))
}

const escaped = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** Puts what frames show in the place of their elements, and moves the positions of what nobody sees. */
function filledIn(outer: Serialised, fillings: readonly (Filling | null)[]): Serialised {
  const parts: string[] = []
  const unseen: number[] = []
  const waiting = [...(outer.unseen ?? [])].sort((a, b) => a - b)
  let [from, length] = [0, 0]
  const add = (part: string): void => {
    parts.push(part)
    length += part.length
  }
  const copyTo = (to: number): void => {
    for (let at = waiting[0]; at !== undefined && at < to; waiting.shift(), at = waiting[0]) unseen.push(length + at - from)
    add(outer.html.slice(from, to))
    from = to
  }
  for (const [i, { at, end, named }] of outer.frames.entries()) {
    const filling = fillings[i]
    if (filling === null || filling === undefined) continue
    copyTo(at)
    add(`<div data-frame="${escaped(filling.url)}"${named}>`)
    for (const one of filling.unseen ?? []) unseen.push(length + one)
    add(filling.html)
    add('</div>')
    from = end
  }
  copyTo(outer.html.length)
  const some = (has: (filling: Filling) => boolean | undefined): boolean => fillings.some((one) => one !== null && has(one) === true)
  return { ...outer, truncated: outer.truncated || some((one) => one.truncated), waits: some((one) => one.waits), html: parts.join(''), unseen: outer.unseen === null ? null : unseen }
}
