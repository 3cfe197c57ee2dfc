import { describe, expect, it } from 'vitest'
import { ExecuteRequest, InteractRequest } from './interact.ts'

describe('the timeout of a run', () => {
  const whether = (timeout: number): readonly boolean[] => [InteractRequest, ExecuteRequest].map((request) => request.safeParse({ code: '1', timeout }).success)

  it('is 1 to 300 seconds', () => expect([0, 1, 300, 301].map(whether)).toEqual([[false, false], [true, true], [true, true], [false, false]]))
  it('may be fractional for interact, and is an integer for execute', () => expect(whether(1.5)).toEqual([true, false]))
})
