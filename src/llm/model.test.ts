import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ModelServer, startModelServer } from '../../test/model-server.ts'
import type { Call, LogFields } from '../domain/call.ts'
import type { Abilities, Model, ModelProvider } from '../domain/model.ts'
import { pausableClock } from '../lib/pausable-clock.ts'
import { nameResolver, operatorHttp, ownEndpoints } from '../net/index.ts'
import { languageModel } from './index.ts'

let server: ModelServer
const open: Model[] = []
const logged: LogFields[] = []

beforeAll(async () => {
  server = await startModelServer()
})
afterAll(() => server.close())
beforeEach(() => {
  for (const model of open.splice(0)) model.close()
  logged.length = 0
})

function model(provider: ModelProvider = 'openai-compatible', more: { longModel?: string; port?: number; abilities?: Abilities } = {}): Model {
  const url = new URL(more.port === undefined ? server.url : `http://127.0.0.1:${more.port}/v1`)
  const resolver = nameResolver({ servers: [], clock: { now: Date.now } })
  const made = languageModel({
    provider, baseUrl: url.href, apiKey: 'key-of-ours', model: 'small', longModel: more.longModel ?? null, http: operatorHttp(url, { resolver, own: ownEndpoints() }),
    timeoutMs: 5_000, limits: { input: 1000, longInput: null, output: 200 }, abilities: more.abilities ?? null, now: Date.now,
  })
  open.push(made)
  return made
}

const call = (ms = 10_000, signal: AbortSignal = new AbortController().signal): Call => ({
  id: 'c', team: 't', signal, deadline: Date.now() + ms, retention: 'normal', log: (_, fields = {}) => void logged.push(fields),
})

const ask = { purpose: 'test', system: 'Be brief.', prompt: 'How high is the tide?' }
const schema = { type: 'object', properties: { high: { type: 'number' } }, required: ['high'] }
const formats = (from: number): readonly unknown[] => server.questions.slice(from).map(({ format }) => format)

describe('a language model', () => {
  it.each(['openai-compatible', 'openai', 'anthropic', 'google'] as const)('is called in the API of %s, with the key and the schema', async (provider) => {
    server.answers(() => '{"high": 3.1}')
    const answer = await model(provider).structured({ ...ask, schema }, call())
    expect(answer).toEqual({ ok: true, value: { high: 3.1 }, cut: false, usage: { calls: 1, inputTokens: 10, outputTokens: 5 } })
    const question = server.questions.at(-1)
    expect([question?.model, question?.prompt.includes('How high is the tide?'), question?.authorization?.replace('Bearer ', '')]).toEqual(['small', true, 'key-of-ours'])
  })

  it.each([[{ prompt_tokens: 1.5, completion_tokens: 2 }, 2, 2], [{ prompt_tokens: -5_000, completion_tokens: 1e30 }, 0, 100_000_000], [{}, 0, 0]])('has the usage %j counted in whole tokens', async (usage, inputTokens, outputTokens) => {
    server.answers(() => ({ body: JSON.stringify({ choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: '3.1 metres' } }], usage }) }))
    expect(await model().complete(ask, call())).toMatchObject({ value: '3.1 metres', usage: { calls: 1, inputTokens, outputTokens } })
  })

  it('answers in text, without the reasoning that some models print', async () => {
    server.answers(() => '<think>Let me see.</think>\n3.1 metres')
    expect(await model().complete(ask, call())).toMatchObject({ ok: true, value: '3.1 metres' })
  })

  it('falls back from schema to JSON to text for a server without JSON mode, and remembers that', async () => {
    server.answers(({ format, prompt }) => (format === null ? (prompt.includes('tide') ? 'Sure! ```json\n{high: 3.1,}\n```' : '{"ok":true}') : { status: 400, error: 'response_format is not supported' }))
    const made = model()
    const before = server.questions.length
    expect(await made.structured({ ...ask, schema }, call())).toMatchObject({ ok: true, value: { high: 3.1 }, usage: { calls: 5 } })
    expect(await made.structured({ ...ask, schema }, call())).toMatchObject({ ok: true, usage: { calls: 1 } })
    expect(formats(before)).toEqual(['json_schema', 'json_schema', 'json_object', 'json_object', null, null])
    expect(server.questions.at(-1)?.system).toContain('"high"')
  })

  it('is remembered after a restart, for a month', async () => {
    const kept = new Map<string, { state: string; at: number }>()
    const abilities: Abilities = { recall: async (name, since) => { const one = kept.get(name); return one !== undefined && one.at > since ? one.state : null }, note: async (name, state, at) => void kept.set(name, { state, at }) }
    server.answers(({ format }) => (format === null ? '{"high":1}' : { status: 400, error: 'no' }))
    await model('openai-compatible', { abilities }).structured({ ...ask, schema }, call())
    const before = server.questions.length
    await model('openai-compatible', { abilities }).structured({ ...ask, schema }, call())
    expect(formats(before)).toEqual([null])
    for (const one of kept.values()) one.at -= 31 * 86_400_000
    await model('openai-compatible', { abilities }).structured({ ...ask, schema }, call())
    expect(formats(before)).toEqual([null, 'json_schema', 'json_schema', 'json_object', 'json_object', null])
    const broken: Abilities = { recall: async () => Promise.reject(new Error('no store')), note: async () => Promise.reject(new Error('no store')) }
    expect(await model('openai-compatible', { abilities: broken }).structured({ ...ask, schema }, call())).toMatchObject({ ok: true })
  })

  it('keeps the schema for the next question if only this one was refused', async () => {
    server.answers(({ format, prompt }) => (format === 'json_schema' && prompt.includes('tide') ? { status: 400, error: 'schema keyword' } : '{"high":1}'))
    const made = model()
    const before = server.questions.length
    await made.structured({ ...ask, schema }, call())
    await made.structured({ ...ask, prompt: 'What else?', schema }, call())
    expect(formats(before)).toEqual(['json_schema', 'json_schema', 'json_object', 'json_schema'])
  })

  it('does not record a mode as missing if the server temporarily refuses everything', async () => {
    server.answers(() => ({ status: 400, error: 'out of order' }))
    const made = model()
    expect(await made.structured({ ...ask, schema }, call())).toMatchObject({ ok: false, fault: 'refused' })
    server.answers(() => '{"high":1}')
    const before = server.questions.length
    await made.structured({ ...ask, schema }, call())
    expect(formats(before)).toEqual(['json_schema'])
  })

  it.each([
    [{ status: 404, error: 'The model `small` does not exist' }, 'unknown'],
    [{ status: 401 }, 'denied'],
  ] as const)('asks but once for JSON where the answer is %j', async (reply, fault) => {
    server.answers(() => reply)
    expect(await model().structured({ ...ask, schema }, call())).toMatchObject({ ok: false, fault, usage: { calls: 1 } })
  })

  it('falls back to text if a server fails on a schema', async () => {
    server.answers(({ format }) => (format === null ? '{"high":1}' : { status: 500, error: 'invalid JSON schema in format', headers: { 'retry-after': '0' } }))
    const before = server.questions.length
    expect(await model().structured({ ...ask, schema }, call())).toMatchObject({ ok: true, value: { high: 1 } })
    expect(formats(before)).toEqual(['json_schema', 'json_schema', null])
  })

  it('omits the temperature, and renames the limit parameter, if the model requires that', async () => {
    server.answers(({ body }) => ('max_tokens' in body ? { status: 400, error: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead." } : 'temperature' in body ? { status: 400, error: "'temperature' does not support 0 with this model." } : '{"high":1}'))
    const made = model()
    expect(await made.structured({ ...ask, schema }, call())).toMatchObject({ ok: true, usage: { calls: 3 } })
    expect(await made.structured({ ...ask, schema }, call())).toMatchObject({ ok: true, usage: { calls: 1 } })
    expect(server.questions.at(-1)?.body).toMatchObject({ max_completion_tokens: 200, response_format: { type: 'json_schema' } })
  })

  it.each(['{"choices": [], "usage": {"prompt_tokens": 20, "completion_tokens": 7}}', '{"choices": "none", "usage": {"prompt_tokens": 20, "completion_tokens": 7}}'])('counts the tokens of an answer that is none: %s', async (body) => {
    server.answers(() => ({ body }))
    expect(await model().complete(ask, call())).toEqual({ ok: false, fault: 'unusable', usage: { calls: 1, inputTokens: 20, outputTokens: 7 } })
  })

  it('reports that an answer is truncated, whatever the server calls it', async () => {
    server.answers(() => '{"high": 3')
    expect(await model().structured({ ...ask, schema }, call())).toMatchObject({ ok: true, value: {}, cut: true })
  })

  it('retries once for JSON that cannot be repaired, and then gives up', async () => {
    server.answers(() => 'I cannot do that.')
    expect(await model().structured({ ...ask, schema }, call())).toEqual({ ok: false, fault: 'unusable', usage: { calls: 2, inputTokens: 20, outputTokens: 10 } })
  })

  it.each([
    [{ status: 401 }, 'denied', 1],
    [{ status: 429, error: 'You exceeded your current quota. insufficient_quota' }, 'denied', 1],
    [{ status: 400, error: 'API key not valid. Please pass a valid API key.' }, 'denied', 1],
    [{ status: 403, error: 'Your input was flagged' }, 'refused', 1],
    [{ status: 404, error: 'model "small" not found, try pulling it first' }, 'unknown', 1],
    [{ text: 'How high the', finish: 'filtered' }, 'refused', 1],
    [{ body: '<html>Welcome</html>' }, 'unusable', 1],
    [{ body: '{"choices": []}' }, 'unusable', 1],
    [{ status: 429, headers: { 'retry-after': '0' } }, 'rate-limited', 2],
    [{ status: 429, headers: { 'retry-after': '600' } }, 'rate-limited', 1],
    [{ status: 503, headers: { 'retry-after': '0' } }, 'unreachable', 2],
    [{ status: 400, error: "This model's maximum context length is 8192 tokens" }, 'too-long', 1],
  ] as const)('says of an answer %j that it is %s, after %i calls', async (reply, fault, calls) => {
    server.answers(() => reply)
    expect(await model().complete(ask, call())).toMatchObject({ ok: false, fault, usage: { calls } })
  })

  it('has no use for an answer of more than 4 MB', async () => {
    server.answers(() => 'high '.repeat(900_000))
    expect(await model().complete(ask, call())).toMatchObject({ ok: false, fault: 'unusable', usage: { calls: 1 } })
  })

  it.each([
    ['nests without end', { body: `{"choices":${'['.repeat(1_900_000)}${']'.repeat(1_900_000)}}` }],
    ['holds hundreds of thousands of values', { body: `{"choices":[${'{},'.repeat(1_200_000)}{}]}` }],
    ['holds JSON that nests without end', `{"high":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`],
    ['holds JSON of hundreds of thousands of values', `{"high":[${'0,'.repeat(400_000)}0]}`],
  ])('has no use for an answer that %s, and nobody waits for it', async (_, reply) => {
    server.answers(() => reply)
    await model().complete(ask, call())
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    expect(await model().structured({ ...ask, schema }, call())).toMatchObject({ ok: false, fault: 'unusable' })
    delay.disable()
    expect(delay.max / 1e6).toBeLessThan(400)
  })

  it('answers once a failing server has recovered', async () => {
    let visits = 0
    server.answers(() => (visits++ === 0 ? { status: 503, headers: { 'retry-after': '0' } } : 'Three.'))
    expect(await model().complete(ask, call())).toMatchObject({ ok: true, value: 'Three.', usage: { calls: 2 } })
  })

  it('limits pages of jobs to the rate of the server, and pauses their clocks meanwhile', async () => {
    let [since, count, refused] = [0, 0, 0]
    server.answers(() => {
      if (Date.now() - since > 200) [since, count] = [Date.now(), 0]
      return ++count > 2 ? (refused++, { status: 429, headers: { 'retry-after': '0' } }) : 'yes'
    })
    const made = model()
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const clock = pausableClock(Date.now)
        const answer = await made.complete(ask, { ...call(2_000), clock })
        const stood = clock.pausedMs
        clock.dispose()
        return [answer.ok, stood]
      }),
    )
    expect(answers.map(([ok]) => ok)).toEqual(Array.from({ length: 8 }, () => true))
    expect(refused).toBeLessThan(20)
    expect(Math.max(...answers.map(([, stood]) => Number(stood)))).toBeGreaterThan(200)
  })

  it('does not wait for a slow server beyond the time of the call', async () => {
    server.answers(() => 'silence')
    expect(await model().complete(ask, call(900))).toMatchObject({ ok: false, fault: 'timeout' })
  })

  it('aborts with the call', async () => {
    server.answers(() => 'silence')
    const gone = new AbortController()
    const asked = model().complete(ask, call(10_000, gone.signal))
    setTimeout(() => gone.abort(new Error('the caller is gone')), 50)
    await expect(asked).rejects.toThrow('the caller is gone')
  })

  it('reports that a server is down', async () => {
    const down = await startModelServer()
    await down.close()
    expect(await model('openai-compatible', { port: down.port }).complete(ask, call(1_200))).toMatchObject({ ok: false, fault: 'unreachable' })
  })

  it('uses the model for long texts when told to', async () => {
    server.answers(() => 'yes')
    await model('openai-compatible', { longModel: 'large' }).complete({ ...ask, long: true }, call())
    expect(server.questions.at(-1)?.model).toBe('large')
  })

  it('logs the cost of a call but nothing of its content', async () => {
    server.answers(() => 'Secret words.')
    await model().complete(ask, call())
    expect(logged).toEqual([{ purpose: 'test', model: 'small', rung: 'prompt', ms: expect.any(Number), inputTokens: 10, outputTokens: 5, outcome: 'answered' }])
    server.answers(() => ({ status: 401, error: 'Incorrect API key provided: key-of-ours' }))
    await model().complete(ask, call())
    expect(logged.at(-1)).toMatchObject({ outcome: 'denied', status: 401 })
    expect(JSON.stringify(logged)).not.toContain('key-of-ours')
  })
})
