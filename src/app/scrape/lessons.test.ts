import { expect, it } from 'vitest'
import type { EngineLesson } from '../../domain/fetching/engine-memory.ts'
import { keptLessons } from './lessons.ts'

const lesson = (score: number): EngineLesson => ({ score, uses: 0, at: 0 })
const key = { team: 't', host: 'a.test', shape: '/p/*' }

function counted(answer: () => Promise<EngineLesson | null>) {
  const asked: string[] = []
  const noted: EngineLesson[] = []
  const clock = { now: 0 }
  const lessons = keptLessons({ recall: async ({ shape }) => (asked.push(shape), answer()), note: async (_, one) => void noted.push(one) }, () => clock.now)
  return { lessons, asked, noted, clock }
}

it('a lesson is loaded once in five seconds, for each shape of pages', async () => {
  const { lessons, asked, clock } = counted(async () => lesson(1))
  expect(await Promise.all([lessons.recall(key), lessons.recall(key), lessons.recall({ ...key, shape: '/q' })])).toEqual([lesson(1), lesson(1), lesson(1)])
  clock.now = 4_999
  await lessons.recall(key)
  expect(asked).toEqual(['/p/*', '/q'])
  clock.now = 5_000
  await lessons.recall(key)
  expect(asked).toEqual(['/p/*', '/q', '/p/*'])
})

it('an observation counts at once, and is stored', async () => {
  const { lessons, asked, noted } = counted(async () => null)
  expect(await lessons.recall(key)).toBeNull()
  await lessons.note(key, lesson(3))
  expect([await lessons.recall(key), noted, asked]).toEqual([lesson(3), [lesson(3)], ['/p/*']])
})

it('a failed load is retried', async () => {
  let fails = true
  const { lessons } = counted(async () => {
    if (fails) throw new Error('away')
    return lesson(2)
  })
  await expect(lessons.recall(key)).rejects.toThrow('away')
  fails = false
  expect(await lessons.recall(key)).toEqual(lesson(2))
})
