import { describe, expect, it } from 'vitest'
import { type EngineLesson, expectsBrowser, learned, pathShape } from './engine-memory.ts'

const day = 86_400_000

describe('what is learned of a host', () => {
  it('sends the next page of its kind to the browser, and forgets over weeks', () => {
    const lesson = learned(null, 'browser', 0)
    expect([0, 7 * day, 14 * day, 15 * day].map((now) => expectsBrowser(lesson, now))).toEqual([true, true, true, false])
    expect(expectsBrowser(null, 0)).toBe(false)
  })

  it('is undone by pages that did without', () => {
    let lesson: EngineLesson = learned(null, 'browser', 0)
    for (let i = 0; i < 4; i++) lesson = learned(lesson, 'http', 0)
    expect(expectsBrowser(lesson, 0)).toBe(false)
    expect(lesson.score).toBe(0)
  })

  it('never grows so strong that it cannot be unlearned', () => {
    let lesson: EngineLesson | null = null
    for (let i = 0; i < 100; i++) lesson = learned(lesson, 'browser', 0)
    expect(lesson?.score).toBe(8)
  })

  it('is put to the test from time to time', () => {
    const lesson = learned(null, 'browser', 0)
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
])('%s has the shape %s', (url, shape) => expect(pathShape(url)).toBe(shape))
