import { describe, expect, it } from 'vitest'
import { canLearnHttp, type EngineLesson, expectsBrowser, learned, pathShape } from './engine-memory.ts'

const day = 86_400_000

/** The lesson after pages that needed these engines, one after the other. */
const after = (engines: readonly ('browser' | 'http')[]): EngineLesson | null => engines.reduce<EngineLesson | null>((lesson, engine) => learned(lesson, engine, 0), null)
const times = (count: number, engine: 'browser' | 'http'): ('browser' | 'http')[] => Array.from({ length: count }, () => engine)

describe('the lesson about a host', () => {
  it('sends pages to the browser at once after three in a row that needed it', () => {
    expect([1, 2, 3, 9].map((count) => expectsBrowser(after(times(count, 'browser')), 0))).toEqual([false, false, true, true])
    expect(expectsBrowser(null, 0)).toBe(false)
  })

  it('expires within a week, however often it was confirmed', () => {
    const lesson = after(times(100, 'browser'))
    expect([0, 4 * day, 5 * day].map((now) => expectsBrowser(lesson, now))).toEqual([true, true, false])
  })

  it('is undone by pages that did not need the browser, and not drawn from a few among many', () => {
    expect(expectsBrowser(after([...times(100, 'browser'), 'http', 'http']), 0)).toBe(false)
    const mixed = after(Array.from({ length: 300 }, (_, i) => (i % 30 < 3 ? 'browser' : 'http')))
    expect(expectsBrowser(mixed, 0)).toBe(false)
  })

  it('does not change once it is at its minimum', () => {
    expect([canLearnHttp(null), canLearnHttp(after(['browser'])), canLearnHttp(after(times(9, 'http')))]).toEqual([false, true, false])
  })

  it('is tested from time to time', () => {
    const lesson = after(times(4, 'browser'))
    if (lesson === null) throw new Error('nothing learned')
    const renders = Array.from({ length: 40 }, (_, uses) => expectsBrowser({ ...lesson, uses }, 0))
    expect(renders.filter((render) => !render)).toHaveLength(2)
  })
})

it.each([
  ['https://a.example/', '/'],
  ['https://a.example/blog/2026/11/how-we-measure-tides', '/blog/*/*/*'],
  ['https://a.example/product/4711?x=1', '/product/*'],
  ['https://a.example/docs/install', '/docs/install'],
  ['https://a.example/u/8f14e45fceea167a5a36dedd4bea2543', '/u/*'],
])('%s has the shape %s', (url, shape) => expect(pathShape(new URL(url))).toBe(shape))
