import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readDocument } from '../../src/parsers/documents/read.ts'

const made = new URL('./made/', import.meta.url)

/** A pseudo-random generator that gives the same numbers in every run. */
function random(seed: number): () => number {
  let state = seed
  return () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31
}

const names = readdirSync(made).filter((name) => /^(?!.*world).*\.(?:docx|odt|epub|rtf|pptx|ppt|odp|xlsx|xls|ods)$/.test(name))

it.each(names)('%s, truncated or with changed bytes, still gets a result', async (name) => {
  const whole = readFileSync(new URL(name, made))
  const next = random(whole.length)
  const damaged = Array.from({ length: 4 }, () => {
    const copy = Buffer.from(whole)
    for (let i = 0; i < 20; i++) copy[Math.floor(next() * copy.length)] = Math.floor(next() * 256)
    return copy
  })
  for (const bytes of [whole.subarray(0, whole.length * 0.6), ...damaged]) expect(Object.keys(await readDocument(bytes))).toHaveLength(1)
})
