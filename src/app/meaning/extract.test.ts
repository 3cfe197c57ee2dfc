import { describe, expect, it } from 'vitest'
import type { Capture } from '../../domain/pages/capture.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { Model } from '../../domain/model.ts'
import { noTemplate, type Template } from '../../domain/pages/templates.ts'
import { analyses } from '../../formats/analysis/index.ts'
import type { Asking } from './asking.ts'
import { extracted } from './extract.ts'
import { turns } from './turns.ts'

const schema = { type: 'object', properties: { maker: { type: 'string', pattern: '^Smith' } } }
const place = { label: null, form: 'text', before: '', after: '' } as const
const trusted: Template = { ...noTemplate, phase: 'trusted', rules: { maker: [{ ...place, path: '>p.who' }] } }

/** A page with a known template, and a model that answers with what follows "made by". */
function asking(html: string, text: string): { readonly asking: Asking; readonly asked: () => number; readonly state: () => Template } {
  let [asked, state, version] = [0, JSON.stringify(trusted), 1]
  const usage = { calls: 1, inputTokens: 0, outputTokens: 0 }
  const structured: Model['structured'] = async () => (asked++, { ok: true, value: { data: { maker: /made by (Smith \d)/.exec(text)?.[1] ?? null }, evidence: [] }, cut: false, usage })
  const model: Model = { id: 'm', limits: { input: 8_000, longInput: null, output: 1_000 }, structured, complete: () => Promise.reject(new Error('not asked')), close: () => undefined }
  const templates = { recall: async () => ({ state, version }), note: async (_: unknown, next: { readonly state: string }) => ((state = next.state), version++ > 0), use: async () => 1 }
  const capture: Capture = { requestedUrl: 'https://a.test/1', url: 'https://a.test/1', status: 200, headers: [['content-type', 'text/html']], body: Buffer.from(html), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }
  const read = { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true, blockAds: true }
  const material = { text, title: '', urls: [], cut: false, draft: { value: null, sources: {}, missing: ['/maker'] }, fallback: {} }
  const call = { id: 'i', team: 't', signal: new AbortController().signal, deadline: 60_000, retention: 'normal' as const, log: () => undefined }
  // Runs each analysis on this thread, by its name.
  const analyse = (async (name: keyof typeof analyses, input: never) => analyses[name](input)) as unknown as Asking['analyse'] // runs here
  return { asking: { model, material, analyse, learning: { templates, turns: turns(1), capture, read, now: () => 0 }, call, now: () => 0 }, asked: () => asked, state: () => JSON.parse(state) as Template } // written above
}

const format = { type: 'json', schema, grounding: false } as const

it('a known template is used if the page and the schema support its values', async () => {
  const page = asking('<p class="who">Smith 1</p>', 'Smith 1')
  expect(await extracted(format, page.asking)).toEqual({ part: { json: { maker: 'Smith 1' } }, fault: null, saved: true })
  expect(page.asked()).toBe(0)
})

it('the model is asked if a known template cannot be applied in time', async () => {
  const page = asking('<p class="who">Smith 1</p><p>made by Smith 2</p>', 'Smith 1\n\nmade by Smith 2')
  const slow: Asking['analyse'] = (name, input, call) => (name === 'lifted' ? Promise.reject(new ServiceError('SCRAPE_TIMEOUT')) : page.asking.analyse(name, input, call))
  expect(await extracted(format, { ...page.asking, analyse: slow })).toEqual({ part: { json: { maker: 'Smith 2' } }, fault: null })
  expect(page.asked()).toBe(1)
})

it('the model is asked if the schema rejects the value of a known template, which then becomes doubtful', async () => {
  const page = asking('<p class="who">Unknown</p><p>made by Smith 2</p>', 'Unknown\n\nmade by Smith 2')
  expect(await extracted(format, page.asking)).toEqual({ part: { json: { maker: 'Smith 2' } }, fault: null })
  expect([page.asked(), page.state().doubts]).toEqual([1, 1])
})

describe('a prompt with a schema', () => {
  const prompted = { ...format, prompt: 'The maker of the second one.' } as const
  const drafted = (value: object) => {
    const page = asking('<p>Smith 1</p><p>made by Smith 2</p>', 'Smith 1\n\nmade by Smith 2')
    const prompts: string[] = []
    const material = { ...page.asking.material, draft: { value, sources: {}, missing: [] } }
    const structured: Model['structured'] = (ask, call) => (prompts.push(ask.prompt), page.asking.model.structured(ask, call))
    return { asking: { ...page.asking, learning: null, material, model: { ...page.asking.model, structured } }, prompts }
  }

  it('goes to the model with the values that the page proves, because it may mean others', async () => {
    const { asking: page, prompts } = drafted({ maker: 'Smith 1' })
    expect(await extracted(prompted, page)).toEqual({ part: { json: { maker: 'Smith 2' } }, fault: null })
    expect(prompts).toEqual([expect.stringMatching(/<<<DATA \w+\n\{"maker":"Smith 1"\}\nDATA/)])
    expect(await extracted(format, page)).toEqual({ part: { json: { maker: 'Smith 1' } }, fault: null })
  })

  it("keeps the values of the page's data if the model confirms them", async () => {
    const { asking: page } = drafted({ maker: 'Smith 2', code: 'X-99', fits: true })
    const structured: Model['structured'] = async () => ({ ok: true, value: { data: { maker: 'Smith 2', code: 'X-99', fits: true, more: 'X-98' } }, cut: false, usage: { calls: 1, inputTokens: 0, outputTokens: 0 } })
    const schema = { type: 'object', properties: { maker: { type: 'string' }, code: { type: 'string' }, fits: { type: 'boolean' }, more: { type: 'string' } } }
    const { part } = await extracted({ ...prompted, schema }, { ...page, model: { ...page.model, structured } })
    expect(part.json).toEqual({ maker: 'Smith 2', code: 'X-99', fits: true, more: null })
  })

  it('is reported as ignored if no model answered', async () => {
    const { asking: page } = drafted({ maker: 'Smith 1' })
    const structured: Model['structured'] = async () => ({ ok: false, fault: 'denied', usage: { calls: 1, inputTokens: 0, outputTokens: 0 } })
    const { part } = await extracted(prompted, { ...page, model: { ...page.model, structured } })
    expect(part).toEqual({ json: { maker: 'Smith 1' }, warning: expect.stringMatching(/does not accept the key .* the prompt was left aside\.$/) })
  })
})

it('a schema without properties is reported', async () => {
  const page = asking('<p>made by Smith 2</p>', 'made by Smith 2')
  const { part } = await extracted({ ...format, schema: { $schema: 'http://json-schema.org/draft-07/schema#' } }, page.asking)
  expect(part).toEqual({ json: { maker: 'Smith 2' }, warning: expect.stringContaining('z.toJSONSchema') })
})

describe('a value that the model does not give', () => {
  const two = { type: 'object', properties: { maker: { type: 'string' }, price: { type: 'number' }, size: { type: 'object', properties: { high: { type: 'number' }, wide: { type: 'number' } } } } }
  const replying = (...replies: readonly { readonly value: unknown; readonly cut?: true }[]) => {
    const page = asking('<p>made by Smith 2</p>', 'made by Smith 2')
    let at = 0
    const structured: Model['structured'] = async () => ({ ok: true, cut: false, usage: { calls: 1, inputTokens: 0, outputTokens: 0 }, value: null, ...replies[Math.min(at++, replies.length - 1)] })
    const material = { ...page.asking.material, draft: { value: { maker: null, price: null, size: null }, sources: {}, missing: [''] } }
    return { run: () => extracted({ ...format, schema: two }, { ...page.asking, learning: null, material, model: { ...page.asking.model, structured } }), asked: () => at }
  }

  it('is distinguished from one that it does not find on the page, and from one that it invents', async () => {
    const { part, ungiven } = await replying({ value: { data: { maker: null, size: { high: 77 } }, evidence: [] } }).run()
    expect(part).toEqual({
      json: { maker: null, price: null, size: { high: null } },
      warning: 'json: the language model said what the page does not say, hence null: /size/high. json: the language model gave no value, hence null: /price. json: the language model found nothing on the page, hence null: /maker.',
    })
    expect(ungiven).toEqual(['/price', '/size/high', '/size/wide'])
  })

  it.each([[{ value: {} }], [{ value: { data: {}, evidence: [] }, cut: true as const }]])('is not reported as missing on the page: %j', async (reply) => {
    const { part, fault } = await replying(reply).run()
    expect([part.json, fault, part.warning]).toEqual([{ maker: null, price: null, size: null }, null, expect.stringContaining('json: the language model gave no value, hence null: /maker, /price, /size.')])
    expect(part.warning).not.toContain('on the page')
  })

  it('is the whole answer if it has the wrong type twice', async () => {
    const stubborn = replying({ value: [1, 2] })
    expect(await stubborn.run()).toEqual({ part: { json: null, warning: 'json: the language model gave no usable answer; what it was to find is null.' }, fault: 'unusable' })
    expect(stubborn.asked()).toBe(2)
    const better = replying({ value: { data: 'Smith', evidence: [] } }, { value: { data: { maker: 'Smith 2', price: null, size: null }, evidence: [] } })
    expect((await better.run()).part.json).toEqual({ maker: 'Smith 2', price: null, size: null })
  })
})
