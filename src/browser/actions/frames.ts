import { type FramePath, framePath } from '../../lib/frame-path.ts'
import { GoneError, worldName } from '../page/world.ts'
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

/** Sends a command to the process of a document; frames of other sites have processes of their own. */
type Send = (method: string, params: object) => Promise<unknown>

interface Place {
  readonly send: Send
  readonly context: number
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

interface Evaluated {
  readonly result: { readonly value?: unknown; readonly objectId?: string }
  readonly exceptionDetails?: object
}

/** The same, but rejects with `GoneError` when the document has gone. */
const sure = (send: Send): Send => async (method, params) => {
  try {
    return await send(method, params)
  } catch (error) {
    throw new GoneError('document gone', { cause: error })
  }
}

async function evaluated(send: Send, method: string, params: object): Promise<Evaluated['result']> {
  const { result, exceptionDetails } = (await send(method, params)) as Evaluated // the answer of both commands
  if (exceptionDetails !== undefined) throw new Error('A script of ours failed in a frame.')
  return result
}

/** Enters a frame. */
async function entered({ tab }: Stage, { send, context }: Place, selector: string): Promise<{ readonly place: Place; readonly owner: Owner } | 'none' | 'invalid'> {
  const { value, objectId } = await evaluated(send, 'Runtime.evaluate', { expression: `(${frameOf})(${JSON.stringify(selector)})`, contextId: context, objectGroup: group })
  if (objectId === undefined) return value === 'invalid' ? 'invalid' : 'none'
  const { node } = (await send('DOM.describeNode', { objectId })) as { readonly node: { readonly frameId?: string } } // the answer of the command
  const { frameId } = node
  if (frameId === undefined) return 'none'
  const far = sure((method, params) => tab.wire.command(frameId, { method, params }))
  const world = async (there: Send): Promise<Place> => {
    const { executionContextId } = (await there('Page.createIsolatedWorld', { frameId, worldName })) as { readonly executionContextId: number } // the answer of the command
    return { send: there, context: executionContextId }
  }
  // In its page's process it is a frame; in a process of its own, it is the top.
  const place = await world(send).catch(() => world(far))
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
