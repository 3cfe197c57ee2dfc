import type { Call } from '../../domain/call.ts'
import type { Capture } from '../../domain/pages/capture.ts'
import type { ReadOptions } from '../../domain/pages/reading.ts'
import type { Templates } from '../../domain/pages/templates.ts'
import type { Material } from '../../domain/pages/derivation.ts'
import type { Model, ModelAnswer, ModelAsk, ModelFault } from '../../domain/model.ts'
import type { Analyse } from '../../formats/analysis/index.ts'
import { timeLeft } from '../../lib/deadline.ts'
import { isObject } from '../../lib/is-object.ts'
import type { Turns } from './turns.ts'
import { tokensOf } from '../../lib/tokens.ts'

/** What is needed to learn from the pages of a job. */
export interface Learning {
  readonly templates: Templates
  readonly turns: Turns
  readonly capture: Capture
  readonly read: ReadOptions
  readonly now: () => number
}

/** The model and the page to ask it about, for one call. */
export interface Asking {
  readonly model: Model
  readonly material: Material
  readonly analyse: Analyse
  /** For pages of jobs, where templates are learned. */
  readonly learning: Learning | null
  readonly call: Call
  readonly now: () => number
}

/** The maximum number of parts of a page to ask about. */
const maxParts = 32
const atOnce = 4
/** With less time than this, the model is not asked. */
const leastMs = 700

const tooLate: { readonly ok: false; readonly fault: ModelFault; readonly usage: { readonly calls: 0; readonly inputTokens: 0; readonly outputTokens: 0 } } = {
  ok: false, fault: 'timeout', usage: { calls: 0, inputTokens: 0, outputTokens: 0 },
}

const hasTime = ({ call, now }: Asking): boolean => timeLeft(call, now()) > leastMs

/** Asks for text. */
export async function askText(ask: ModelAsk, asking: Asking): Promise<ModelAnswer<string>> {
  return hasTime(asking) ? asking.model.complete(ask, asking.call) : tooLate
}

/** Asks for JSON. */
export async function askJson(ask: ModelAsk & { readonly schema: object }, asking: Asking): Promise<ModelAnswer<unknown>> {
  return hasTime(asking) ? asking.model.structured(ask, asking.call) : tooLate
}

/** The number that an entry of a model's list means, "[3]" too; NaN if none. */
export function numberOf(entry: unknown): number {
  if (typeof entry === 'number') return entry
  return typeof entry === 'string' ? Number(/^\s*\[?(\d+)\]?\s*$/.exec(entry)?.[1] ?? Number.NaN) : Number.NaN
}

/** The list in a model's answer, which may come without the name that was asked for; null if there is none. */
export function listIn(answer: unknown, name: string): readonly unknown[] | null {
  const list = isObject(answer) ? answer[name] : answer
  return Array.isArray(list) ? list : null
}

/** A page in parts that fit a question with the given overhead. */
export interface Parts {
  readonly texts: readonly string[]
  /** Whether they are for the model for long texts. */
  readonly long: boolean
}

/**
 * Cuts the page for a question whose other words take `overhead` tokens; null when even small parts do not fit, or there
 * are too many.
 */
export async function partsFor(overhead: number, { model: { limits }, material: { text }, analyse, call }: Asking): Promise<Parts | null> {
  const room = (input: number): number => input - overhead - 200
  const tokens = tokensOf(text)
  const long = limits.longInput !== null && tokens > room(limits.input)
  const space = room(long ? (limits.longInput ?? limits.input) : limits.input)
  if (space < 150) return null
  const texts = tokens <= space ? [text] : await analyse('chunks', { text, limit: space }, call)
  return texts.length > maxParts ? null : { texts, long }
}

/** Applies `work` to all items, a few at a time; returns the results in order. */
export async function mapped<T, R>(items: readonly T[], work: (item: T, at: number) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const runner = async (): Promise<void> => {
    while (next < items.length) {
      const at = next++
      const item = items[at]
      if (item !== undefined) results[at] = await work(item, at)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, runner))
  return results
}
