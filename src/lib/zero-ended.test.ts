import { expect, it } from 'vitest'
import { zeroEnded } from './zero-ended.ts'

const said = ['{"a":"Fähre €"}', '', `long ${'€'.repeat(200)} end`, 'short', '€'.repeat(10)]

it.each([1, 2, 7, 1_000])('splits texts that arrive in pieces of %d bytes, and passes over one that is too long', (size) => {
  const [heard, told, given]: [string[], (readonly string[])[], string[]] = [[], [], []]
  const take = zeroEnded({ longest: (start) => (start.startsWith('long') ? 100 : 50), whole: (text) => heard.push(text), giveUp: () => given.push('up'), skipped: (...edges) => told.push(edges) })
  const bytes = Buffer.from(said.map((one) => `${one}\0`).join(''))
  for (let at = 0; at < bytes.length; at += size) take(bytes.subarray(at, at + size))
  expect([heard, given]).toEqual([[said[0], said[3], said[4]], ['up']])
  expect(told.map(([start, end]) => [start?.startsWith('long €'), end?.endsWith(' end')])).toEqual([[true, true]])
})
