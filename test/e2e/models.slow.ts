import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ModelServer, startModelServer } from '../model-server.ts'
import { startProxy, type TestProxy } from '../proxy.ts'
import { startTrawl, type TestService } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'

let site: Site
let model: ModelServer
let proxy: TestProxy
let trawl: TestService
let dataDir: string
let settings: Record<string, string>

beforeAll(async () => {
  ;[site, model, proxy] = await Promise.all([startSite(), startModelServer(), startProxy()])
  dataDir = mkdtempSync(join(tmpdir(), 'trawl-test-'))
  settings = {
    TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port},127.0.0.1:${model.port}`, TRAWL_LLM_BASE_URL: model.url, TRAWL_LLM_MODEL: 'small', TRAWL_LLM_LONG_MODEL: 'large', TRAWL_LLM_INPUT_TOKENS: '1500',
    TRAWL_LLM_LONG_INPUT_TOKENS: '100000', TRAWL_LLM_MAX_TOKENS: '300', TRAWL_LLM_TIMEOUT_MS: '6000', TRAWL_LLM_PROXY: `http://user:secret@127.0.0.1:${proxy.port}`,
  }
  trawl = await startTrawl({ settings, dataDir })
})
afterAll(async () => {
  await trawl.stop()
  await Promise.all([site.close(), model.close(), proxy.close()])
  rmSync(dataDir, { recursive: true, force: true })
})

const data = async (format: object | string, path = '/article', more: object = {}) => (await trawl.scrape({ url: site.url(path), formats: [format], maxAge: 0, ...more })).json.data
const schema = { type: 'object', properties: { years: { type: 'integer' }, writesDown: { type: 'string' } } }
const since = (from: number) => model.questions.slice(from)

describe('a language model behind a proxy, with a second one for long texts', { timeout: 60_000 }, () => {
  it('is only reached through the proxy, and pages are not fetched through it', async () => {
    model.answers(() => 'It is about tides.')
    const before = proxy.targets.length
    expect((await data('summary')).summary).toBe('It is about tides.')
    expect(new Set(proxy.targets.slice(before))).toEqual(new Set([`127.0.0.1:${model.port}`]))
    expect(new Set(proxy.authorizations)).toEqual(new Set([`Basic ${Buffer.from('user:secret').toString('base64')}`]))
    expect(trawl.output()).not.toContain('secret')
  })

  it('gets short texts, and the second one those that do not fit', async () => {
    model.answers(() => 'Of links.')
    const before = model.questions.length
    await data('summary')
    await data('summary', '/links/all?count=400')
    expect(since(before).map(({ model: name }) => name)).toEqual(['small', 'large'])
  })

  it('gets a limit for its answer, and an answer that is cut off is reported', async () => {
    model.answers(() => ({ text: '{"data": {"years": 120, "writesDown": "height, wi', finish: 'length' }))
    const { json, warning } = await data({ type: 'json', schema })
    expect([json.years, warning]).toEqual([120, expect.stringContaining('cut off')])
  })

  it.each(['hang', 407] as const)('is skipped if the proxy answers with %s', async (manner) => {
    proxy.manner = manner
    // Open connections would be reused.
    await trawl.stop()
    trawl = await startTrawl({ settings, dataDir })
    const { json, warning } = await data({ type: 'json', schema }, '/article', { timeout: 30_000 })
    proxy.manner = 'work'
    expect([json, warning]).toEqual([null, expect.stringMatching(/did not answer in time|cannot be reached/)])
  })

  it('is awaited no longer than its own timeout, even if the page has more time', async () => {
    model.answers(() => 'silence')
    const { json, warning } = await data({ type: 'json', schema }, '/article', { timeout: 60_000 })
    expect([json, warning]).toEqual([null, expect.stringContaining('did not answer in time')])
  })

  it('keeps the knowledge of what it cannot do over a restart', async () => {
    model.answers(({ format }) => (format === null ? '{"data": {"years": 120}}' : { status: 400, error: 'unknown field response_format' }))
    const before = model.questions.length
    await data({ type: 'json', schema })
    expect(since(before).map(({ format }) => format)).toEqual(['json_schema', 'json_schema', 'json_object', 'json_object', null])
    await trawl.stop('SIGKILL')
    trawl = await startTrawl({ settings, dataDir })
    const after = model.questions.length
    expect((await data({ type: 'json', schema })).json.years).toBe(120)
    expect(since(after).map(({ format }) => format)).toEqual([null])
  })
})
