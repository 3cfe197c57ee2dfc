import type { Call } from './call.ts'

/** The supported kinds of servers. */
export const modelProviders = ['openai-compatible', 'openai', 'anthropic', 'google'] as const
export type ModelProvider = (typeof modelProviders)[number]

/** Why a language model gave no usable answer. */
export type ModelFault = 'timeout' | 'rate-limited' | 'unreachable' | 'denied' | 'unknown' | 'refused' | 'unusable' | 'too-long'

/** The usage of an answer. */
export interface ModelUsage {
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
}

/** An answer, or why there is none. `cut`: the model reached its output limit. */
export type ModelAnswer<T> =
  | { readonly ok: true; readonly value: T; readonly cut: boolean; readonly usage: ModelUsage }
  | { readonly ok: false; readonly fault: ModelFault; readonly usage: ModelUsage }

/** One question to a language model. */
export interface ModelAsk {
  /** A constant word for the log. */
  readonly purpose: string
  readonly system: string
  readonly prompt: string
  /** Ask the model for long texts, if there is one. */
  readonly long?: boolean
}

/** What models turned out to support; kept over restarts. */
export interface Abilities {
  /** What was recorded since then; null if nothing was. */
  recall(model: string, since: number): Promise<string | null>
  note(model: string, state: string, at: number): Promise<void>
}

/** The input and output limits of a model, in tokens. */
export interface ModelLimits {
  readonly input: number
  /** Of the model for long texts; null when there is none. */
  readonly longInput: number | null
  readonly output: number
}

/** A language model. It throws only the reason of the call's signal. */
export interface Model {
  /** What its answers depend on: the provider and the names of the models. */
  readonly id: string
  readonly limits: ModelLimits
  /** Answers a question with text. */
  complete(ask: ModelAsk, call: Call): Promise<ModelAnswer<string>>
  /** Answers a question with a JSON value. The model need not keep to the schema: the caller validates. */
  structured(ask: ModelAsk & { readonly schema: object }, call: Call): Promise<ModelAnswer<unknown>>
  close(): void
}

/** The sum of several usages. */
export function usageSum(parts: readonly ModelUsage[]): ModelUsage {
  const add = (key: keyof ModelUsage): number => parts.reduce((sum, part) => sum + part[key], 0)
  return { calls: add('calls'), inputTokens: add('inputTokens'), outputTokens: add('outputTokens') }
}

/** What a caller is told about an answer that was cut off. */
export const cutText = 'the answer of the language model was cut off at its limit'

/** What a caller is told about a fault. */
export const faultText: Readonly<Record<ModelFault, string>> = {
  timeout: 'the language model did not answer in time',
  'rate-limited': 'the language model takes no more requests at the moment',
  unreachable: 'the language model cannot be reached',
  denied: 'the server of the language model does not accept the key or the account of this service',
  unknown: 'the server of the language model does not have the model of this service',
  refused: 'the language model refused the request',
  unusable: 'the language model gave no usable answer',
  'too-long': 'the text is too long for the language model',
}
