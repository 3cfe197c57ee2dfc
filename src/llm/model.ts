import type { LanguageModelV3CallOptions } from '@ai-sdk/provider'
import type { Call } from '../domain/call.ts'
import { type Abilities, type Model, type ModelAnswer, type ModelAsk, type ModelLimits, type ModelProvider, type ModelUsage, usageSum } from '../domain/model.ts'
import { deadline, timeLeft } from '../lib/deadline.ts'
import { sleep } from '../lib/sleep.ts'
import { steadyNow } from '../lib/steady-now.ts'
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
  /** Used instead of `model` for texts that are too long for it. */
  readonly longModel: string | null
  /** Reaches only the endpoint of the base URL. */
  readonly http: OperatorHttp
  /** Time limit of a single exchange, in milliseconds. */
  readonly timeoutMs: number
  readonly limits: ModelLimits
  /** Keeps models' abilities; null when nothing does. */
  readonly abilities: Abilities | null
  readonly now: () => number
}

/** Milliseconds of a call's time that are reserved for everything after the model. */
const answerMs = 500
/** Pause before a retry when the server names none, in milliseconds. */
const retryMs = 1_000
/** Longer pauses are left to the caller. */
const longestPauseMs = 10_000

/** Most concurrent requests for pages of jobs. */
const pagesAtOnce = 32
/** Most attempts for a page of a job while the server is busy. */
const mostTries = 30
/** Whether a reply says that there are too many requests, or that the server is overloaded. */
const isBusy = ({ fault, status }: Extract<Reply, { ok: false }>): boolean => fault === 'rate-limited' || status === 503 || status === 529

const late = new Error('the model is late')

/** A request in the library's terms. */
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
    // Strict schemas allow no optional properties, but callers' schemas have them.
    providerOptions: { model: { strictJsonSchema: false }, openai: { strictJsonSchema: false } },
  }
}

/** The operator's language model. The library behind it is loaded on first use. */
export function languageModel(options: LanguageModelOptions): Model {
  const { provider, model, longModel, limits, now, http } = options
  const endpoint = { provider, baseUrl: options.baseUrl, apiKey: options.apiKey, fetch: operatorFetch(http) }
  const known = knownModels({ abilities: options.abilities, server: `${provider} ${options.baseUrl}`, now })

  const unwantedOf = new Map<string, Set<Unwanted>>()

  async function exchanged(ask: ModelAsk & { readonly schema?: object }, { rung, name, unwanted }: { readonly rung: Rung; readonly name: string; readonly unwanted: ReadonlySet<Unwanted> }, call: Call): Promise<Reply> {
    // Loading the library on first use does not count against the model's time.
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

  /** Asks, and asks again without a parameter that the model rejects. */
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

  /** Asks, and asks again after a pause when the server requests one that the call has time for, or is unreachable. */
  async function patient(ask: ModelAsk & { readonly schema?: object }, rung: Rung, call: Call): Promise<Reply> {
    const first = await once(ask, rung, call)
    // Pages of jobs are paced together instead.
    if (first.ok || (first.fault !== 'unreachable' && (first.fault !== 'rate-limited' || call.clock !== undefined))) return first
    const pause = first.retryAfterMs ?? retryMs
    if (pause > longestPauseMs || pause + answerMs * 2 >= timeLeft(call, now())) return first
    await sleep(pause, call.signal)
    call.signal.throwIfAborted()
    const second = await once(ask, rung, call)
    return { ...second, usage: usageSum([first.usage, second.usage]) }
  }

  const steps = pace({ now: steadyNow, most: pagesAtOnce, slowMs: options.timeoutMs / 4 })

  /** Asks for a page of a job: repeats the request at the server's pace as long as the server is busy. */
  async function paced(ask: ModelAsk & { readonly schema?: object }, rung: Rung, call: Call): Promise<Reply> {
    const spent: ModelUsage[] = []
    for (let tries = 0; ; tries++) {
      const leave = await steps.enter(call)
      let how: Leaving = 'answered'
      let reply: Reply
      try {
        reply = await patient(ask, rung, call)
        how = !reply.ok && isBusy(reply) ? (reply.retryAfterMs ?? retryMs * 2 ** Math.min(tries, 5)) : !reply.ok && reply.fault === 'timeout' ? 'late' : 'answered'
      } finally {
        leave(how)
      }
      spent.push(reply.usage)
      if (typeof how !== 'number' || tries >= mostTries || !steps.isWorthWaiting(how)) return { ...reply, usage: usageSum(spent) }
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
