import { expect, it } from 'vitest'
import type { Edge } from './handler.ts'
import { docs, health, openapi } from './system.ts'

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

it.each([
  ['ok', false],
  ['damaged', true],
])('the health of a process is %s when it is %s that its store was found damaged', async (status, damaged) => {
  const { body } = await health({} as never, { options: { version: '1', roles: ['api'], damaged: () => damaged } } as unknown as Edge) // what the handler looks at
  expect(JSON.parse(String(body))).toMatchObject({ status })
})
