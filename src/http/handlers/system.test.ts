import { expect, it } from 'vitest'
import type { Edge } from './handler.ts'
import { docs, openapi } from './system.ts'

it.each([
  ['documentation', docs],
  ['description of the interface', openapi],
])('the %s, which anyone may ask for, is made once', async (_what, handler) => {
  const ask = async (version: string): Promise<unknown> => (await handler({} as never, { options: { version } } as unknown as Edge)).body // what the handlers look at
  const first = await ask('1.2.3')
  expect(String(first)).toContain('1.2.3')
  expect(await ask('1.2.3')).toBe(first)
  expect(String(await ask('1.2.4'))).toContain('1.2.4')
})
