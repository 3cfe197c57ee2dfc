import { type FramePath, framePath } from '../../lib/frame-path.ts'
import { evaluated, type Place, placeIn, type Send, sure } from '../page/places.ts'
import { coverAt, isVisible, matches } from './scripts.ts'
import { ask, inTime, type Stage } from './stage.ts'

/** A point in a window, in CSS pixels. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** A document in which an element is searched: the page's own, or that of a frame. */
export interface Ground {
  /** The selector within this document. */
  readonly selector: string
  /** Evaluates an expression in the isolated world of the document. Rejects as `ask` does, and with `GoneError`. */
  ask<T>(expression: string): Promise<T>
  /**
   * Converts a point of the document to the page's window, scrolling it into view if needed; or says what covers a frame on
   * the way.
   */
  outside(point: Point): Promise<Point | { readonly by: string }>
}

/** The element of a frame, and how to reach it. */
interface Owner {
  readonly send: Send
  readonly element: string
}

const busyMs = 5_000
const group = 'frames'

const frameOf = String.raw`(selector) => {
  let found
  try {
    found = (${matches})(selector).filter((one) => /^i?frame$/.test(one.localName))
  } catch {
    return 'invalid'
  }
  return found.find(${isVisible}) ?? found[0] ?? 'none'
}`

const outward = String.raw`function (x, y) {
  const place = () => {
    const { left, top, width, height } = this.getBoundingClientRect()
    const { paddingLeft, paddingTop } = getComputedStyle(this)
    const along = (from, size, own, edge, pad, at) => from + (size / (own || 1)) * (edge + parseFloat(pad) + at)
    return { x: along(left, width, this.offsetWidth, this.clientLeft, paddingLeft, x), y: along(top, height, this.offsetHeight, this.clientTop, paddingTop, y) }
  }
  const beyond = (at, most) => (at < 0 || at >= most ? at - most / 2 : 0)
  let at = place()
  if (beyond(at.x, innerWidth) !== 0 || beyond(at.y, innerHeight) !== 0) {
    this.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
    at = place()
    scrollBy({ left: beyond(at.x, innerWidth), top: beyond(at.y, innerHeight), behavior: 'instant' })
    at = place()
  }
  const by = (${coverAt})(this, at.x, at.y)
  return by === null ? at : { by }
}`

/** Enters a frame. */
async function entered({ tab }: Stage, { send, context }: Place, selector: string): Promise<{ readonly place: Place; readonly owner: Owner } | 'none' | 'invalid'> {
  const { value, objectId } = await evaluated(send, 'Runtime.evaluate', { expression: `(${frameOf})(${JSON.stringify(selector)})`, contextId: context, objectGroup: group })
  if (objectId === undefined) return value === 'invalid' ? 'invalid' : 'none'
  const place = await placeIn(tab.wire, send, objectId)
  if (place === null) return 'none'
  return { place, owner: { send, element: objectId } }
}

/** Converts a point of the innermost document to the coordinates outside of all frames. */
async function seenFrom(owners: readonly Owner[], from: Point): Promise<Point | { readonly by: string }> {
  let point = from
  for (const { send, element } of owners.toReversed()) {
    const { value } = await evaluated(send, 'Runtime.callFunctionOn', { objectId: element, functionDeclaration: outward, arguments: [{ value: point.x }, { value: point.y }], returnByValue: true })
    const next = value as Point | { readonly by: string } // the answer of our script
    if ('by' in next) return next
    point = next
  }
  return point
}

/**
 * Follows a selector through its frames, and collects their elements; `none` when a frame is missing. Rejects with
 * `GoneError` when a document goes away meanwhile.
 */
async function followed(stage: Stage, { frames, selector }: FramePath, owners: Owner[]): Promise<Ground | 'none' | 'invalid'> {
  const { cdp, world } = stage.tab
  const send = sure(cdp.send.bind(cdp) as Send) // any command, by its name
  let place: Place = { send, context: await inTime(stage, world.context(), busyMs) }
  for (const frame of frames) {
    const next = await inTime(stage, entered(stage, place, frame), busyMs)
    if (typeof next === 'string') return next
    owners.push(next.owner)
    place = next.place
  }
  const { send: there, context } = place
  return {
    selector,
    ask: async <T>(expression: string) => (await inTime(stage, evaluated(there, 'Runtime.evaluate', { expression, contextId: context, awaitPromise: true, returnByValue: true }), busyMs)).value as T, // our own expressions: the caller knows what they give
    outside: (point) => inTime(stage, seenFrom(owners, point), busyMs),
  }
}

/**
 * Does work in the document that a selector leads to; `none` when a frame on the way is missing, `invalid` when the
 * selector is invalid.
 */
export async function inGround<T>(stage: Stage, selector: string, work: (ground: Ground) => Promise<T>): Promise<T | 'none' | 'invalid'> {
  const path = framePath(selector)
  if (path.frames.length === 0) return work({ selector, ask: (expression) => ask(stage, expression), outside: async (point) => point })
  const owners: Owner[] = []
  try {
    const ground = await followed(stage, path, owners)
    return typeof ground === 'string' ? ground : await work(ground)
  } finally {
    for (const send of new Set(owners.map((owner) => owner.send))) send('Runtime.releaseObjectGroup', { objectGroup: group }).catch(() => undefined)
  }
}
