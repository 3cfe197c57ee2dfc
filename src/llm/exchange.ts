import { AISDKError, APICallError, InvalidResponseDataError, type LanguageModelV3, type LanguageModelV3CallOptions } from '@ai-sdk/provider'
import type { ModelFault, ModelUsage } from '../domain/model.ts'
import { AnswerTooLong } from '../net/index.ts'

/** Parameters that some models reject: a temperature, or the old name of the answer's token limit. */
export type Unwanted = 'temperature' | 'max_tokens'

/** The result of an exchange with a model: its text, or why there is none. */
export type Reply =
  | { readonly ok: true; readonly text: string; readonly cut: boolean; readonly usage: ModelUsage }
  /**
   * `unfit`: the server rejects the form of the request. `broke`: the server failed on it, as some do on an unknown form.
   */
  | { readonly ok: false; readonly fault: ModelFault; readonly status: number | null; readonly unfit: boolean; readonly broke: boolean; readonly unwanted: Unwanted | null; readonly retryAfterMs: number | null; readonly usage: ModelUsage }

const oneCall: ModelUsage = { calls: 1, inputTokens: 0, outputTokens: 0 }

/** Matches error messages about a text that is too long. */
const tooLong = /context.{0,20}(?:length|window|size)|too (?:long|large|many tokens)|maximum.{0,30}tokens|prompt is too long|exceeds? the.{0,30}(?:limit|context)/i
/** Matches error messages about an invalid key or an empty account, whatever the status. */
const noEntry = /api.?key.{0,20}(?:not valid|invalid)|(?:invalid|incorrect).{0,10}api.?key|insufficient_quota|credit balance/i
/** Matches error messages about an unknown model. */
const noModel = /model_not_found|not_found_error|model.{0,120}(?:not found|not exist)|(?:invalid|unknown) model|no such model/i
const unwantedBy: readonly (readonly [RegExp, Unwanted])[] = [
  [/max_completion_tokens/, 'max_tokens'],
  [/\btemperature\b/, 'temperature'],
]
/** Matches error messages of content filters. */
const heldBack = /moderat|flagged|content.{0,10}polic/i
/** Statuses by which servers reject the form of a request. */
const unfitStatuses: ReadonlySet<number> = new Set([400, 404, 415, 422, 501])

function retryAfter(headers: Record<string, string> | undefined): number | null {
  const text = headers?.['retry-after']
  return text !== undefined && /^\d{1,6}$/.test(text.trim()) ? Number(text) * 1000 : null
}

type Failure = Extract<Reply, { ok: false }>

function failed(fault: ModelFault, more: Partial<Omit<Failure, 'ok' | 'fault' | 'usage'>> = {}): Failure {
  return { ok: false, fault, status: null, unfit: false, broke: false, unwanted: null, retryAfterMs: null, ...more, usage: oneCall }
}

function faultOf(error: unknown): Failure {
  // The library's errors contain the request with the page, and headers with the key: nothing of them is passed on.
  if (!APICallError.isInstance(error)) return failed(error instanceof AnswerTooLong || AISDKError.isInstance(error) ? 'unusable' : 'unreachable')
  if (error.statusCode === undefined) return failed('unreachable')
  const { statusCode: status } = error
  const said = error.responseBody?.slice(0, 10_000) ?? ''
  const retryAfterMs = retryAfter(error.responseHeaders)
  if (status < 300) return failed('unusable', { status })
  if (status === 403 && heldBack.test(said)) return failed('refused', { status })
  if (status === 401 || status === 402 || status === 403 || (status < 500 && noEntry.test(said))) return failed('denied', { status })
  if (status === 429) return failed('rate-limited', { status, retryAfterMs })
  if (status === 413 || (status < 500 && tooLong.test(said))) return failed('too-long', { status })
  if ((status === 400 || status === 404) && noModel.test(said)) return failed('unknown', { status })
  if (unfitStatuses.has(status)) return failed('refused', { status, unfit: true, unwanted: unwantedBy.find(([words]) => words.test(said))?.[1] ?? null })
  return status >= 500 || status === 408 ? failed('unreachable', { status, broke: status === 500, retryAfterMs }) : failed('refused', { status })
}

/** A count as a whole number: servers report fractions and nonsense, too, which nothing could be added to. */
const counted = (tokens: number | undefined): number => Math.min(mostCounted, Math.max(0, Math.ceil(tokens ?? 0) || 0))
/** No exchange has more tokens. */
const mostCounted = 100_000_000

const tokensIn = (answer: string, names: string): number => counted(Number(new RegExp(`"(?:${names})"\\s*:\\s*(\\d{1,12})`).exec(answer)?.[1] ?? 0))

/** What an answer cost that the library rejects: the server has counted its tokens all the same. */
function usageOf(error: unknown): ModelUsage {
  const answer = APICallError.isInstance(error) ? (error.responseBody ?? '') : InvalidResponseDataError.isInstance(error) ? JSON.stringify(error.data ?? '') : ''
  return { ...oneCall, inputTokens: tokensIn(answer, 'prompt_tokens|input_tokens|promptTokenCount'), outputTokens: tokensIn(answer, 'completion_tokens|output_tokens|candidatesTokenCount') }
}

/** Sends one request. When `signal` aborts, the fault is `timeout`. Never throws. */
export async function exchange(model: LanguageModelV3, options: LanguageModelV3CallOptions, signal: AbortSignal): Promise<Reply> {
  try {
    const { content, finishReason, usage } = await model.doGenerate({ ...options, abortSignal: signal })
    const spent = { calls: 1, inputTokens: counted(usage.inputTokens.total), outputTokens: counted(usage.outputTokens.total) }
    // What a content filter lets through is at most the start of an answer.
    if (finishReason.unified === 'content-filter') return { ...failed('refused'), usage: spent }
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    return { ok: true, text, cut: finishReason.unified === 'length', usage: spent }
  } catch (error) {
    return signal.aborted ? failed('timeout') : { ...faultOf(error), usage: usageOf(error) }
  }
}
