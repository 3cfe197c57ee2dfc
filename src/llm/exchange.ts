import { APICallError, type LanguageModelV3, type LanguageModelV3CallOptions } from '@ai-sdk/provider'
import type { ModelFault, ModelUsage } from '../domain/model.ts'

/** One exchange with a model: its text, or why there is none. */
export type Reply =
  | { readonly ok: true; readonly text: string; readonly cut: boolean; readonly usage: ModelUsage }
  /** `unfit`: the server understood the request and will not have it in this form. */
  | { readonly ok: false; readonly fault: ModelFault; readonly unfit: boolean; readonly retryAfterMs: number | null; readonly usage: ModelUsage }

const oneCall: ModelUsage = { calls: 1, inputTokens: 0, outputTokens: 0 }

/** What servers say of a text that does not fit. */
const tooLong = /context.{0,20}(?:length|window|size)|too (?:long|large|many tokens)|maximum.{0,30}tokens|prompt is too long|exceeds? the.{0,30}(?:limit|context)/i
/** Statuses by which servers refuse the form of a request. */
const unfitStatuses: ReadonlySet<number> = new Set([400, 404, 415, 422, 501])

function retryAfter(headers: Record<string, string> | undefined): number | null {
  const text = headers?.['retry-after']
  return text !== undefined && /^\d{1,6}$/.test(text.trim()) ? Number(text) * 1000 : null
}

function failed(fault: ModelFault, more: { unfit?: boolean; retryAfterMs?: number | null } = {}): Reply {
  return { ok: false, fault, unfit: more.unfit ?? false, retryAfterMs: more.retryAfterMs ?? null, usage: oneCall }
}

function faultOf(error: unknown): Reply {
  // The library's errors hold the request with the page in it, and headers with the key: nothing of them goes any further.
  if (!APICallError.isInstance(error)) return failed('unreachable')
  const { statusCode: status, responseBody = '' } = error
  if (status === undefined) return failed('unreachable')
  if (status < 300) return failed('unusable')
  if (status === 429) return failed('rate-limited', { retryAfterMs: retryAfter(error.responseHeaders) })
  if (status === 413 || (status < 500 && tooLong.test(responseBody.slice(0, 10_000)))) return failed('too-long')
  if (unfitStatuses.has(status)) return failed('refused', { unfit: true })
  return status >= 500 || status === 408 ? failed('unreachable', { retryAfterMs: retryAfter(error.responseHeaders) }) : failed('refused')
}

/** Asks once. `signal` ends the exchange with the fault `timeout`. Never throws. */
export async function exchange(model: LanguageModelV3, options: LanguageModelV3CallOptions, signal: AbortSignal): Promise<Reply> {
  try {
    const { content, finishReason, usage } = await model.doGenerate({ ...options, abortSignal: signal })
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    return {
      ok: true,
      text,
      cut: finishReason.unified === 'length',
      usage: { calls: 1, inputTokens: usage.inputTokens.total ?? 0, outputTokens: usage.outputTokens.total ?? 0 },
    }
  } catch (error) {
    return signal.aborted ? failed('timeout') : faultOf(error)
  }
}
