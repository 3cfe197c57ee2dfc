import { expect, it } from 'vitest'
import { newId } from './new-id.ts'

it('new ids are unguessable and sort by creation', () => {
  const ids = Array.from({ length: 10_000 }, newId)
  expect(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toBe(true)
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids.map((id) => id.slice(-12))).size).toBe(ids.length)
  expect(Math.abs(Number.parseInt(newId().replaceAll('-', '').slice(0, 12), 16) - Date.now())).toBeLessThan(60_000)
})
