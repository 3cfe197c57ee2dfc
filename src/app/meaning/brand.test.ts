import { expect, it } from 'vitest'
import type { Model } from '../../domain/model.ts'
import type { Asking } from './asking.ts'
import { characterised } from './brand.ts'

const said = (value: unknown) => {
  const structured: Model['structured'] = async () => ({ ok: true, value, cut: false, usage: { calls: 1, inputTokens: 0, outputTokens: 0 } })
  const model: Model = { id: 'm', limits: { input: 8_000, longInput: null, output: 1_000 }, structured, complete: () => Promise.reject(new Error('not asked')), close: () => undefined }
  const call = { id: 'i', team: 't', signal: new AbortController().signal, deadline: 60_000, retention: 'normal' as const, log: () => undefined }
  const asking: Asking = { model, material: { text: 'Anvils.', title: '', urls: [], cut: false, draft: null, fallback: {} }, analyse: () => Promise.reject(new Error('not asked')), learning: null, call, now: () => 0 }
  return characterised({}, asking)
}

it('personality keeps valid values, in any case', async () => {
  const { part } = await said({ tone: { voice: 'plain', emojiUsage: 'a few', mood: 'x' }, personality: { tone: 'Professional', energy: 'LOW', targetAudience: '', age: 3 }, more: 1 })
  expect(part).toEqual({ branding: { tone: { voice: 'plain' }, personality: { tone: 'professional', energy: 'low' } } })
})

it.each([{ tone: { voice: 'x' }, personality: { tone: 'evil', energy: 'low' } }, { tone: { voice: 'see https://evil.test' }, personality: { tone: 'bold', energy: 'low' } }, [], null, { tone: {} }])('personality keeps nothing of %j', async (value) => {
  expect(await said(value)).toMatchObject({ part: { warning: expect.stringContaining('no tone and personality') }, fault: 'unusable' })
})
