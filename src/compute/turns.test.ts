import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { stood } from '../../test/stood.ts'
import type { Call } from '../domain/call.ts'
import type { Steps } from '../lib/in-steps.ts'
import { turns } from './turns.ts'

const call = (terms: Partial<Call> = {}): Call => ({ id: 'c', team: 't', signal: new AbortController().signal, deadline: Date.now() + 60_000, retention: 'normal', log: () => undefined, ...terms })

interface Said {
  readonly said: string[]
  readonly read: (page: string, call: Call) => Promise<string>
}

/** Reads pages in three steps, and notes each. */
function reader(step: (page: string, number: number) => void = () => undefined, elsewhere: (page: string) => Promise<string> | null = () => null): Said {
  const said: string[] = []
  function* here(page: string): Steps<string> {
    for (const number of [1, 2, 3]) {
      said.push(`${page}${number}`)
      step(page, number)
      if (number < 3) yield
    }
    return page
  }
  return { said, read: turns({ elsewhere, here }) }
}

const work = (ms: number): void => {
  for (const from = performance.now(); performance.now() - from < ms; );
}

it('takes each step of the pages that wait together, one page after the other, and no more than four pages', async () => {
  const { said, read } = reader()
  const pages = [...'abcdef'].map((page) => read(page, call()))
  expect(said).toEqual([])
  expect(await Promise.all(pages)).toEqual([...'abcdef'])
  expect(said.join(' ')).toBe('a1 b1 c1 d1 a2 b2 c2 d2 a3 b3 c3 d3 e1 f1 e2 f2 e3 f3')
})

it('lets other work come between two steps that take long', async () => {
  const { said, read } = reader(() => work(15))
  const page = read('a', call())
  const seen: number[] = []
  for (let i = 0; i < 4; i++) {
    await setImmediate()
    seen.push(said.length)
  }
  await page
  expect(seen.slice(0, 3)).toEqual([1, 2, 3])
})

it('takes what comes during a turn in the next', async () => {
  const { said, read } = reader((page, number) => void (page === 'a' && number === 1 && later.push(read('b', call()))))
  const later: Promise<string>[] = []
  await read('a', call())
  await Promise.all(later)
  expect(said.join(' ')).toBe('a1 a2 a3 b1 b2 b3')
})

it('fails a page that breaks its reading, and no other', async () => {
  const { read } = reader((page, number) => {
    if (page === 'b' && number === 2) throw new Error('broken')
  })
  expect(await Promise.allSettled([read('a', call()), read('b', call()), read('c', call())])).toMatchObject([{ value: 'a' }, { reason: { message: 'broken' } }, { value: 'c' }])
})

it('goes no further with a page whose caller leaves', async () => {
  const [early, late] = [new AbortController(), new AbortController()]
  const { said, read } = reader((page, number) => void (page === 'a' && number === 1 && late.abort(new Error('left late'))))
  const { said: clock, clock: one } = stood()
  const pages = [read('a', call()), read('b', call({ signal: late.signal })), read('c', call({ signal: early.signal, clock: one })), read('d', call({ signal: AbortSignal.abort(new Error('was gone')) }))]
  early.abort(new Error('left early'))
  expect(clock).toEqual(['stands', 'goes on'])
  expect((await Promise.allSettled(pages)).map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason)))).toEqual(['a', 'Error: left late', 'Error: left early', 'Error: was gone'])
  expect(said).toEqual(['a1', 'a2', 'a3'])
})

it('lets teams take turns and requests go first, and pauses the clock of a page until its turn', async () => {
  const { said, read } = reader()
  const { said: clock, clock: one } = stood()
  const pages = ['a', 'b', 'c', 'd'].map((page) => read(page, call({ background: true })))
  await Promise.all([...pages, read('e', call({ background: true, team: 'u' })), read('f', call({ team: 'u', clock: one }))])
  expect(said.filter((step) => step.endsWith('1')).join(' ')).toBe('f1 a1 e1 b1 c1 d1')
  expect(clock).toEqual(['stands', 'goes on'])
})

it('has pages read elsewhere beside those that it reads', async () => {
  const { said, read } = reader(undefined, (page) => (page === 'b' ? Promise.resolve('elsewhere') : null))
  expect(await Promise.all([...'abcdef'].map((page) => read(page, call())))).toEqual(['a', 'elsewhere', 'c', 'd', 'e', 'f'])
  expect(said.filter((step) => step.endsWith('1')).join(' ')).toBe('a1 c1 d1 e1 f1')
  expect(said.indexOf('e1')).toBeLessThan(said.indexOf('a2'))
})
