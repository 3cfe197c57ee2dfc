import { expect, it } from 'vitest'
import { codeOf } from '../../../test/session-desk.ts'
import { ServiceError } from '../../domain/errors.ts'
import { repeats } from './repeats.ts'

/** Calls whose work is counted and fails with `code`; each answers what its caller sees, and how often work was done so far. */
function desk(code: ServiceError['code'] | null): { clock: number; call(target: string, body: unknown): Promise<readonly unknown[]> } {
  let done = 0
  const work = async (): Promise<string> => {
    done += 1
    if (code !== null) throw new ServiceError(code)
    return 'done'
  }
  const here = { clock: 1_000, call: async (target: string, body: unknown) => [await codeOf(guarded.guard(target, body, work)), done] }
  const guarded = repeats(() => here.clock)
  return here
}

it('a run that ended with 502 is not run again when the client repeats it at once, but is five seconds later', async () => {
  const failing = desk('BROWSER_FAILURE')
  expect(await failing.call('one', { code: 'pay()' })).toEqual(['BROWSER_FAILURE', 1])
  failing.clock += 4_999
  expect(await failing.call('one', { code: 'pay()' })).toEqual(['BROWSER_FAILURE', 1])
  failing.clock += 1
  expect(await failing.call('one', { code: 'pay()' })).toEqual(['BROWSER_FAILURE', 2])
  failing.clock += 4_999
  expect(await failing.call('one', { code: 'pay()' })).toEqual(['BROWSER_FAILURE', 2])
})

it('a run of other code, or in another session, is no repeat', async () => {
  const failing = desk('AGENT_FAILURE')
  await failing.call('one', { code: '1' })
  expect(await failing.call('one', { code: '2' })).toEqual(['AGENT_FAILURE', 2])
  expect(await failing.call('two', { code: '1' })).toEqual(['AGENT_FAILURE', 3])
  expect(await failing.call('one', { code: '1' })).toEqual(['AGENT_FAILURE', 3])
})

it('a run that succeeded, or failed otherwise than with 502, is run again', async () => {
  for (const [code, answer] of [[null, 'done'], ['SESSION_DESTROYED', 'SESSION_DESTROYED']] as const) {
    const other = desk(code)
    await other.call('one', {})
    expect(await other.call('one', {})).toEqual([answer, 2])
  }
})

it('many failures at once do not push out one that may still be repeated', async () => {
  const failing = desk('BROWSER_FAILURE')
  for (let n = 0; n < 9_999; n++) await failing.call('one', n)
  expect(await failing.call('one', 'last')).toEqual(['BROWSER_FAILURE', 10_000])
  expect(await failing.call('one', 0)).toEqual(['BROWSER_FAILURE', 10_000])
  await failing.call('one', 'one too many')
  expect(await failing.call('one', 1)).toEqual(['BROWSER_FAILURE', 10_001])
  expect(await failing.call('one', 0)).toEqual(['BROWSER_FAILURE', 10_002])
})
