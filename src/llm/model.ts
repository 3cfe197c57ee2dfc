import type { LanguageModelV3CallOptions } from '@ai-sdk/provider'
import type { Call } from '../domain/call.ts'
import { type Abilities, type Model, type ModelAnswer, type ModelAsk, type ModelLimits, type ModelProvider, type ModelUsage, usageSum } from '../domain/model.ts'
import { deadline, timeLeft } from '../lib/deadline.ts'
import { sleep } from '../lib/sleep.ts'
import type { OperatorHttp } from '../net/index.ts'
import { exchange, type Reply, type Unwanted } from './exchange.ts'
import { bareText } from './json-text.ts'
import { knownModels } from './known.ts'
import { structured } from './ladder.ts'
import { operatorFetch } from './operator-fetch.ts'
import { type Leaving, pace } from './pace.ts'
import { ladders, providerModel, type Rung } from './provider.ts'

export interface LanguageModelOptions {
  readonly provider: ModelProvider
  readonly baseUrl: string
  readonly apiKey: string | null
  readonly model: string
  /** Asked in place of the other for texts that do not fit it. */
  readonly longModel: string | null
  /** Reaches exactly the endpoint of the base URL. */
  readonly http: OperatorHttp
  /** For one exchange. */
  readonly timeoutMs: number
  readonly limits: ModelLimits
  /** Where it is kept what models can do; null where it is not. */
  readonly abilities: Abilities | null
  readonly now: () => number
}

/** What is left of a call's time for everything after the model. */
const answerMs = 500
/** A server that names no time is asked again after this long. */
const retryMs = 1_000
/** Longer pauses are the caller's to make. */
const longestPauseMs = 10_000

/** Pages of jobs that are asked about at once, at most. */
const pagesAtOnce = 32
/** A page of a job is asked about no more often while the server is busy. */
const mostTries = 30
/** Too many requests, or overloaded. */
const isBusy = ({ fault, status }: Extract<Reply, { ok: false }>): boolean => fault === 'rate-limited' || status === 503 || status === 529

const late = new Error('the model is late')

/** One request in the library's terms. */
function optionsOf(ask: ModelAsk & { readonly schema?: object }, { rung, limits, unwanted }: { readonly rung: Rung; readonly limits: ModelLimits; readonly unwanted: ReadonlySet<Unwanted> }): LanguageModelV3CallOptions {
  const json = ask.schema !== undefined && rung !== 'prompt'
  return {
    prompt: [
      { role: 'system', content: ask.system },
      { role: 'user', content: [{ type: 'text', text: ask.prompt }] },
    ],
    maxOutputTokens: limits.output,
    ...(unwanted.has('temperature') ? {} : { temperature: 0 }),
    ...(json ? { responseFormat: { type: 'json', name: 'answer', ...(rung === 'schema' ? { schema: ask.schema } : {}) } } : {}),
    // Strict schemas allow no optional property; those of callers have them.
    providerOptions: { model: { strictJsonSchema: false }, openai: { strictJsonSchema: false } },
  }
}

/** A language model of the operator's. The library behind it is loaded with the first question. */
export function languageModel(options: LanguageModelOptions): Model {
  const { provider, model, longModel, limits, now, http } = options
  const endpoint = { provider, baseUrl: options.baseUrl, apiKey: options.apiKey, fetch: operatorFetch(http) }
  const known = knownModels({ abilities: options.abilities, server: `${provider} ${options.baseUrl}`, now })

  const unwantedOf = new Map<string, Set<Unwanted>>()

  async function exchanged(ask: ModelAsk & { readonly schema?: object }, { rung, name, unwanted }: { readonly rung: Rung; readonly name: string; readonly unwanted: ReadonlySet<Unwanted> }, call: Call): Promise<Reply> {
    // The first time the library is loaded, which is no fault of the model's.
    const loaded = await providerModel(endpoint, name, { rung, unwanted })
    const limit = deadline(call.signal, Math.min(options.timeoutMs, timeLeft(call, now()) - answerMs), () => late)
    const began = now()
    try {
      const reply = await exchange(loaded, optionsOf(ask, { rung, limits, unwanted }), limit.signal)
      call.signal.throwIfAborted()
      const { inputTokens, outputTokens } = reply.usage
      call.log('model', { purpose: ask.purpose, model: name, rung, ms: now() - began, inputTokens, outputTokens, outcome: reply.ok ? 'answered' : reply.fault, ...(reply.ok || reply.status === null ? {} : { status: reply.status }) })
      return reply
    } finally {
      limit.dispose()
    }
  }

  /** Once, and again without what the model turns out not to take. */
  async function once(ask: ModelAsk & { readonly schema?: object }, rung: Rung, call: Call): Promise<Reply> {
    const name = ask.long === true && longModel !== null ? longModel : model
    const unwanted = unwantedOf.get(name) ?? new Set<Unwanted>()
    unwantedOf.set(name, unwanted)
    const spent: ModelUsage[] = []
    for (;;) {
      const before = new Set(unwanted)
      const reply = await exchanged(ask, { rung, name, unwanted: before }, call)
      spent.push(reply.usage)
      if (reply.ok || reply.unwanted === null || before.has(reply.unwanted)) return { ...reply, usage: usageSum(spent) }
      unwanted.add(reply.unwanted)
    }
  }

  /** Once more after a pause, where the server asks for one that the call has time for, or stumbles. */
  async function patient(ask: ModelAsk & { readonly schema?: object }, rung: Rung, call: Call): Promise<Reply> {
    const first = await once(ask, rung, call)
    // Pages of jobs keep to a pace together.
    if (first.ok || (first.fault !== 'unreachable' && (first.fault !== 'rate-limited' || call.clock !== undefined))) return first
    const pause = first.retryAfterMs ?? retryMs
    if (pause > longestPauseMs || pause + answerMs * 2 >= timeLeft(call, now())) return first
    await sleep(pause, call.signal)
    call.signal.throwIfAborted()
    const second = await once(ask, rung, call)
    return { ...second, usage: usageSum([first.usage, second.usage]) }
  }

  const steps = pace({ now, most: pagesAtOnce, slowMs: options.timeoutMs / 4 })

  /** For a page of a job: asked again, at the pace that the server allows, as long as it says that it is too much at the moment. */
  async function paced(ask: ModelAsk & { readonly schema?: object }, rung: Rung, call: Call): Promise<Reply> {
    const spent: ModelUsage[] = []
    for (let tries = 0; ; tries++) {
      const leave = await steps.enter(call)
      let how: Leaving = 'answered'
      try {
        const reply = await patient(ask, rung, call)
        spent.push(reply.usage)
        const pause = !reply.ok && isBusy(reply) ? (reply.retryAfterMs ?? retryMs * 2 ** Math.min(tries, 5)) : null
        how = pause ?? (!reply.ok && reply.fault === 'timeout' ? 'late' : 'answered')
        if (pause === null || tries >= mostTries || !steps.isWorthWaiting(pause)) return { ...reply, usage: usageSum(spent) }
      } finally {
        leave(how)
      }
    }
  }

  const asked = (ask: ModelAsk & { readonly schema?: object }, rung: Rung, call: Call): Promise<Reply> => (call.clock === undefined ? patient(ask, rung, call) : paced(ask, rung, call))

  return {
    id: [provider, model, ...(longModel === null ? [] : [longModel])].join('/'),
    limits,
    async complete(ask, call): Promise<ModelAnswer<string>> {
      const reply = await asked(ask, 'prompt', call)
      const usage: ModelUsage = reply.usage
      if (!reply.ok) return { ok: false, fault: reply.fault, usage }
      const text = bareText(reply.text)
      return text === '' ? { ok: false, fault: 'unusable', usage } : { ok: true, value: text, cut: reply.cut, usage }
    },
    structured: (ask, call) =>
      structured(ask, { model: ask.long === true && longModel !== null ? longModel : model, rungs: ladders[provider], known, on: (rung, what) => asked(what, rung, call) }),
    close: () => http.close(),
  }
}
