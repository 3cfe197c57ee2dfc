import { expect, it } from 'vitest'
import { limits } from './limits.ts'
import { ActivityQuery, FeedbackRequest, SearchFeedbackRequest } from './team.ts'

it('the limit of the activity is a whole number in digits', () => {
  expect(ActivityQuery.parse({})).toEqual({ limit: 50 })
  expect(ActivityQuery.parse({ limit: '100' })).toEqual({ limit: 100 })
  expect(['', '0', '101', 'x', '1e1', '0x10', ' 5'].filter((limit) => ActivityQuery.safeParse({ limit }).success)).toEqual([])
  expect(ActivityQuery.safeParse({ limit: 'x' }).error?.issues).toMatchObject([{ message: 'Not a whole number' }])
})

it('a feedback has a size that all of its fields share', () => {
  const fits = (characters: number): readonly boolean[] => {
    const given = { rating: 'good', metadata: { a: 'x'.repeat(characters) } }
    return [FeedbackRequest.safeParse({ ...given, endpoint: 'map', jobId: '00000000-0000-4000-8000-000000000000' }).success, SearchFeedbackRequest.safeParse(given).success]
  }
  expect([fits(limits.feedback - 1_000), fits(limits.feedback)]).toEqual([[true, true], [false, false]])
})
