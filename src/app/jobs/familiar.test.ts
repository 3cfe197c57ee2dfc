import { expect, it } from 'vitest'
import { familiarShelf } from './familiar.ts'

const lists = ({ pages, often, ever }: ReturnType<ReturnType<ReturnType<typeof familiarShelf>['open']>['of']>) => ({ pages, often: [...often], ever: [...ever] })

it('tells what half of the pages of a host say, and what any of them does, job by job', () => {
  const shelf = familiarShelf()
  const [job, other] = [shelf.open(), shelf.open()]
  job.add('a.test', Int32Array.of(5, -7, 5))
  job.add('a.test', Int32Array.of(-7, 3))
  job.add('a.test', Int32Array.of(-7, 9))
  expect(lists(job.of('a.test'))).toEqual({ pages: 3, often: [-7], ever: [-7, 3, 5, 9] })
  expect([job.of('b.test'), other.of('a.test')].map(lists)).toEqual([{ pages: 0, often: [], ever: [] }, { pages: 0, often: [], ever: [] }])
  expect(job.of('a.test')).toBe(job.of('a.test'))
})

it('forgets what only one page said long ago, and is never larger than a site needs', () => {
  const job = familiarShelf().open()
  for (let page = 0; page < 5_000; page++) job.add('a.test', Int32Array.from({ length: 300 }, (_, i) => (i < 5 ? i : page * 1_000 + i)))
  const { pages, often, ever } = job.of('a.test')
  expect([pages < 16, [...often], ever.length <= 4_000, ever.includes(7)]).toEqual([true, [0, 1, 2, 3, 4], true, false])
})

it('forgets the hosts heard of longest ago', () => {
  const job = familiarShelf().open()
  for (let i = 0; i <= 100; i++) job.add(`${i}.test`, Int32Array.of(1))
  expect([job.of('0.test').pages, job.of('1.test').pages, job.of('100.test').pages]).toEqual([0, 1, 1])
})
