import { expect, it } from 'vitest'
import { heapInUse } from '../../test/kept.ts'
import type { SessionBrowser } from '../domain/sessions/sandbox.ts'
import type { Cell, End } from './cell.ts'
import { processInterpreter } from './interpreter.ts'

const MB = 1024 ** 2
/** A text of half a megabyte that nothing else refers to; of longer ones, the heap has only the names. */
const longText = (): string => Buffer.alloc(MB / 2, 'x').toString('latin1')

interface Fake extends Cell {
  killed: boolean
  end(): void
}

/** A process that is killed, but ends when the test says so. */
function fakeCell(): Fake {
  let settle: (end: End) => void = () => undefined
  const one: Partial<Fake> & { killed: boolean } = { killed: false, ended: new Promise<End>((resolve) => (settle = resolve)), dying: () => one.killed, kill: () => void (one.killed = true), end: () => settle({ code: null, why: null }) }
  return one as Fake // the parts of a cell that are used
}

it('no process is left of an interpreter that was closed while one started', async () => {
  const started: Fake[] = []
  let connections = 0
  let opened = (): void => undefined
  const channel = { close: () => undefined }
  const cdp = {
    connect() {
      connections++
      if (connections === 1) return Promise.reject(new Error('not now'))
      return new Promise((resolve) => (opened = () => resolve(channel)))
    },
  }
  const browser = { cdp } as unknown as SessionBrowser // the parts of a browser that are used
  const interpreter = processInterpreter(() => {
    const one = fakeCell()
    started.push(one)
    return one
  }, browser)
  const terms = { timeoutMs: 1_000, signal: new AbortController().signal }
  await expect(interpreter.run('1', terms)).rejects.toThrow('not now')
  const second = interpreter.run('2', terms)
  await Promise.resolve()
  const closed = interpreter.close()
  started[0]?.end()
  await expect.poll(() => connections).toBe(2)
  opened()
  await expect(second).rejects.toThrow('The interpreter is closed.')
  expect(started.map(({ killed }) => killed)).toEqual([true, true])
  started[1]?.end()
  await closed
})

it('a process keeps nothing of the outcomes of its runs', async () => {
  let told: (answer: unknown) => void = () => undefined
  const output = { until: async () => undefined, take: () => ({ text: '', cut: false }) }
  const one: Partial<Cell> = {
    ended: new Promise(() => undefined),
    dying: () => false,
    connect: () => undefined,
    kill: () => undefined,
    stdout: output,
    stderr: output,
    onAnswer(listener) {
      told = listener ?? ((): void => undefined)
      setImmediate(() => told({ ready: true }))
    },
    order: (value) => void setImmediate(() => told({ done: Reflect.get(value, 'id'), result: longText() })),
  }
  const browser = { cdp: { connect: async () => ({}) }, pageId: () => null } as unknown as SessionBrowser // the parts of a browser that are used
  const interpreter = processInterpreter(() => one as Cell, browser) // the parts of a cell that are used
  const run = async (): Promise<void> => void (await interpreter.run('1', { timeoutMs: 1_000, signal: new AbortController().signal }))
  await run()
  const before = heapInUse()
  for (let runs = 0; runs < 50; runs++) await run()
  expect(heapInUse() - before).toBeLessThan(10 * MB)
})
