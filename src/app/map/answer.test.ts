import { expect, it } from 'vitest'
import { MapAnswer } from '../../spec/map.ts'
import { answerOf } from './answer.ts'

const id = '00000000-0000-4000-8000-000000000000'

it.each([0, 1, 999, 1_000, 1_001, 2_500])('a map of %i links conforms to its schema and is written with pauses', async (count) => {
  const links = Array.from({ length: count }, (_, i) => ({ url: `https://site.example/${i}`, ...(i % 3 === 0 ? { title: `"${i}"\u2028` } : {}) }))
  let pauses = 0
  const body = await answerOf({ id, links, warning: count === 0 ? 'Nothing.' : '' }, async () => void (pauses += 1))
  expect(MapAnswer.parse(JSON.parse(Buffer.from(body).toString()))).toEqual({ success: true, id, links, ...(count === 0 ? { warning: 'Nothing.' } : {}) })
  expect(pauses).toBe(Math.max(0, Math.ceil(count / 1_000) - 1))
})
