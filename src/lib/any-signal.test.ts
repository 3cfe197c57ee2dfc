import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { anySignal } from './any-signal.ts'
import { timeLimit } from './deadline.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void // added by the flag

/** How many signals abort within half a second of repeated garbage collections. */
async function abortedOf(signals: readonly (() => boolean)[]): Promise<number> {
  for (let turn = 0; turn < 25; turn++) {
    await new Promise((resume) => setTimeout(resume, 20))
    collectGarbage()
  }
  return signals.filter((aborted) => aborted()).length
}

it('a combined signal aborts with the first of its sources, and with that reason', () => {
  const [one, other] = [new AbortController(), new AbortController()]
  const signal = anySignal(one.signal, other.signal)
  expect(signal.aborted).toBe(false)
  other.abort(new Error('gone'))
  one.abort(new Error('late'))
  expect([signal.aborted, signal.reason]).toEqual([true, new Error('gone')])
  expect(anySignal(one.signal).reason).toEqual(new Error('late'))
})

it('a combined signal keeps a timeout alive that nothing else references, also through a chain of signals', async () => {
  const parent = new AbortController().signal
  const held = Array.from({ length: 20 }, () => anySignal(parent, timeLimit(200)))
  const nested = Array.from({ length: 20 }, () => anySignal(anySignal(parent, timeLimit(200)), new AbortController().signal))
  expect(await abortedOf([...held, ...nested].map((signal) => () => signal.aborted))).toBe(40)
})

it('a combined signal keeps a timeout alive for a listener', async () => {
  const heard = Array.from({ length: 20 }, () => {
    let aborted = false
    anySignal(new AbortController().signal, timeLimit(200)).addEventListener('abort', () => (aborted = true), { once: true })
    return () => aborted
  })
  expect(await abortedOf(heard)).toBe(20)
})
