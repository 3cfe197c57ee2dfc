import { expect, it } from 'vitest'
import type { Call } from '../../domain/call.ts'
import type { Model } from '../../domain/model.ts'
import { countedModel } from './counted-model.ts'

const usage = { inputTokens: 30, outputTokens: 4 }

/** What a counted model answers to either kind of question, what it counted, and what it logged. */
async function asked(of: Partial<typeof usage>, add: () => Promise<void> = async () => undefined): Promise<readonly unknown[]> {
  const [counted, log]: [unknown[], unknown[]] = [[], []]
  const answer = { value: 'said', usage: { ...usage, ...of } }
  const inner = { name: 'm', complete: async () => answer, structured: async () => answer } as unknown as Model // what is used
  const model = countedModel(inner, { addTokens: async (...args) => (counted.push(args), add()) }, () => 7)
  const call = { team: 'a', key: 'k', log: (event: string, fields: unknown) => void log.push([event, fields]) } as unknown as Call // what is used
  type Asked = Parameters<Model['complete']>[0] & Parameters<Model['structured']>[0]
  const question = {} as Asked // not looked at
  expect([await model.complete(question, call), await model.structured(question, call)]).toEqual([answer, answer])
  return [counted, log]
}

it('the tokens of each answer of a model are counted for the team and the key that asked', async () => {
  const one = [{ team: 'a', key: 'k' }, 34, 7]
  expect(await asked({})).toEqual([[one, one], []])
})

it('an answer without tokens, as of a model that does not report them, is not counted', async () => {
  expect(await asked({ inputTokens: 0, outputTokens: 0 })).toEqual([[], []])
  expect((await asked({ inputTokens: 0 }))[0]).toHaveLength(2)
})

it('an answer that was paid for is not lost because the store is away', async () => {
  const line = ['tokens-uncounted', { reason: 'Error: away' }]
  expect((await asked({}, () => Promise.reject(new Error('away'))))[1]).toEqual([line, line])
})
