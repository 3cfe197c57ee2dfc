import { evidenceOf } from '../content/evidence/index.ts'
import { pointed } from '../lib/json-pointer.ts'

/** The position in the markdown of each value in a JSON answer, by JSON pointer (contract §15.20). */
export type Grounding = Readonly<Record<string, { readonly start: number; readonly end: number }>>

const maxEntries = 20_000

/** Every scalar inside a value with its pointer, except nulls. Iterative. */
export function scalars(value: unknown): readonly { readonly pointer: string; readonly value: string | number | boolean }[] {
  const found: { pointer: string; value: string | number | boolean }[] = []
  const waiting: { readonly pointer: string; readonly value: unknown }[] = [{ pointer: '', value }]
  for (let next = waiting.pop(); next !== undefined && found.length < maxEntries; next = waiting.pop()) {
    const { pointer, value: one } = next
    if (typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean') found.push({ pointer, value: one })
    else if (typeof one === 'object' && one !== null) for (const [key, inner] of Object.entries(one).reverse()) waiting.push({ pointer: pointed(pointer, key), value: inner })
  }
  return found
}

/** Finds the values of an answer in the markdown; values that are elsewhere on the page have no entry. */
export function groundingOf(value: unknown, markdown: string): Grounding {
  const evidence = evidenceOf(markdown)
  const entries = scalars(value).flatMap(({ pointer, value: one }) => {
    const span = typeof one === 'boolean' ? undefined : evidence.scalar(one)
    return span === undefined ? [] : [[pointer, span] as const] // a pair
  })
  return Object.fromEntries(entries)
}
