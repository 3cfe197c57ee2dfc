import { expect, it } from 'vitest'
import type { Stage } from './stage.ts'
import { wait } from './wait.ts'

it.each([
  ['The request has no time left to wait.', 1, 60_000],
  ['The time that actions may wait is used up (60 seconds together).', 60_000, 1],
])('says what ran out while waiting: %s', async (message, leftMs, waitMs) => {
  const stage = { left: () => leftMs, budget: { waitMs }, signal: new AbortController().signal } as Partial<Stage> as Stage // all that it looks at
  await expect(wait({ type: 'wait', milliseconds: 9_000 }, stage)).rejects.toThrow(message)
})
