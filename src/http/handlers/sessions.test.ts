import { expect, it } from 'vitest'
import type { Call } from '../../domain/call.ts'
import { ServiceError, Unreachable } from '../../domain/errors.ts'
import { BrowserRequest } from '../../spec/browser.ts'
import { ExecuteRequest } from '../../spec/interact.ts'
import type { Edge } from './handler.ts'
import { create, execute } from './sessions.ts'

const call = { signal: new AbortController().signal, log: () => undefined } as unknown as Call // what is used of one

/** The answer to a request, of two processes of which the first fails in this way and is last heard of then, and which were asked. */
async function asked(which: 'create' | 'execute', fault: Error, heard: readonly (number | null)[]) {
  let looks = 0
  const heardAt = async () => heard[Math.min(looks++, heard.length - 1)]
  const seen: string[] = []
  const elsewhere = async () => ({ elsewhere: ['dying', 'other'].map((id) => ({ id, url: `http://${id}.test/` })) })
  const ports = {
    peers: { send: async (_: unknown, { id }: { readonly id: string }) => (seen.push(id), id === 'dying' ? Promise.reject(fault) : { status: 200, body: Buffer.from('{"success":true}') }) },
    sessions: { create: elsewhere, execute: elsewhere, unanswered: async () => new ServiceError((await heardAt()) === null ? 'SESSION_DESTROYED' : 'BROWSER_FAILURE'), heardAt, repeats: { guard: (_: unknown, __: unknown, work: () => unknown) => work() } },
    newId: () => 'new',
    now: () => 0,
  }
  const edge = { ports, request: { method: 'POST', url: '/v2/browser', body: null }, team: 't', key: null, options: {}, peer: { base: 'http://x' }, call: () => call, once: (_: unknown, run: () => unknown) => run() } as unknown as Edge // what is used of one
  const work = which === 'create' ? create({ body: BrowserRequest.parse({}), warnings: [] }, edge) : execute({ params: { id: 's' }, body: ExecuteRequest.parse({ code: '1' }), warnings: [] }, edge)
  const ended = await work.then(() => 'answered', (error: unknown) => (error instanceof ServiceError ? error.code : String(error)))
  return [ended, seen]
}

it.each<[Parameters<typeof asked>[0], Error, readonly (number | null)[], readonly unknown[]]>([
  ['create', new Error('the process is gone'), [null], ['answered', ['dying', 'other']]],
  ['create', new Unreachable('it does not accept connections'), [1], ['answered', ['dying', 'other']]],
  // It lives, and may open one yet.
  ['create', new Error('ECONNRESET'), [1, 1, 2], ['BROWSER_FAILURE', ['dying']]],
  // It is not heard of any more.
  ['create', new Error('ECONNRESET'), [1, 1, 1, null], ['answered', ['dying', 'other']]],
  // It may have run the code.
  ['execute', new Error('the process is gone'), [null], ['SESSION_DESTROYED', ['dying']]],
  ['execute', new Error('ECONNRESET'), [1, 1, 1, null], ['BROWSER_FAILURE', ['dying']]],
])('a request to %s whose process fails with %s and is heard of at %j goes to the next one only where nothing is left of it', async (which, fault, heard, expected) => {
  expect(await asked(which, fault, heard)).toEqual(expected)
})
