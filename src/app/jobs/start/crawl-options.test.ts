import { expect, it } from 'vitest'
import type { Call } from '../../../domain/call.ts'
import type { Model } from '../../../domain/model.ts'
import { crawlOptions } from './crawl-options.ts'

const call: Call = { id: 'c', team: 't', signal: new AbortController().signal, deadline: 10_000, retention: 'normal', log: () => undefined }

const made = (prompt: string, value: unknown, cut = false) => {
  const model: Model = {
    id: 'm',
    limits: { input: 2_000, longInput: null, output: 100 },
    complete: () => Promise.reject(new Error('not asked')),
    structured: () => Promise.resolve({ ok: true, value, cut, usage: { calls: 1, inputTokens: 0, outputTokens: 0 } }),
    close: () => undefined,
  }
  return crawlOptions({ url: 'http://site.test/', prompt }, { model }, call)
}

it('a number in the prompt is kept if the model returns another one, or none', async () => {
  const wrong = await made('Only the blog, at most 50 pages', { includePaths: ['^/blog'], limit: 100 })
  expect(wrong).toEqual({ options: { includePaths: ['^/blog', '^/$'], limit: 50 }, warnings: [expect.stringContaining('left out: limit')] })
  expect((await made('Only the blog, at most 50 pages', { includePaths: ['^/blog'] })).options.limit).toBe(50)
  expect((await made('Only the blog, 20 pages, 2 seconds between pages', { includePaths: ['^/blog'], limit: 20, delay: 5 })).options).toMatchObject({ limit: 20, delay: 2 })
})

it.each([
  ['Only the blog, not older than 3 days', { limit: 3 }], ['Only the blog, things under 20 €', { limit: 20 }], ['Only the blog, things for $20', { maxDiscoveryDepth: 20 }], ['Only the blog, wait 5 seconds', { limit: 5 }], ['Only the blog, 5 pages', { delay: 5 }],
])('a number of something else is not taken: %s', async (prompt, wrong) => {
  const { options, warnings } = await made(prompt, { includePaths: ['^/blog'], ...wrong })
  expect([Object.keys(wrong).filter((key) => Object.entries(wrong).some(([name, value]) => name === key && options[name as 'limit'] === value)), warnings.join()]).toEqual([[], expect.stringContaining(Object.keys(wrong).join())])
})

it('a truncated answer of the model is not used, because exclusions may be missing', async () => {
  const { options, warnings } = await made('Only the blog, no careers pages', { includePaths: ['^/blog'] }, true)
  expect([options, warnings]).toEqual([{ includePaths: [expect.stringContaining('blog'), '^/$'], excludePaths: [expect.stringContaining('careers')] }, [expect.stringContaining('no usable answer')]])
})

it('a delay comes out in whole seconds, rounded up, whoever read it', async () => {
  const prompt = 'Only the blog, 1.5 seconds between pages'
  const byModel = await made(prompt, { includePaths: ['^/blog'], delay: 1.5 })
  const corrected = await made(prompt, { includePaths: ['^/blog'], delay: 7 })
  const byRules = await crawlOptions({ url: 'http://site.test/', prompt }, { model: null }, call)
  expect([byModel, corrected, byRules].map(({ options }) => options.delay)).toEqual([2, 2, 2])
  expect((await made('Only the blog, one page each 500 ms', { includePaths: ['^/blog'], delay: 0.5 })).options.delay).toBe(1)
})

it.each([['wait 2 minutes between pages, 5 pages', 'prompt: delay: Too big: expected number to be <=60'], ['the blog, 0 pages', 'prompt: limit: Too small: expected number to be >=1']])('a number beyond its bounds is named, rather than a language model asked for: %s', async (prompt, message) => {
  const refused = crawlOptions({ url: 'http://site.test/', prompt }, { model: null }, call)
  await expect(refused).rejects.toMatchObject({ code: 'BAD_REQUEST', message: `Bad Request: ${message}`, details: [{ path: ['prompt'], message }] })
})
