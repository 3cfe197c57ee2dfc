import type { LanguageModelV3 } from '@ai-sdk/provider'
import type { ModelProvider } from '../domain/model.ts'
import type { Unwanted } from './exchange.ts'
import type { ModelFetch } from './operator-fetch.ts'

/** The default base URL of each provider; null when it must be configured. */
export const defaultBaseUrls: Readonly<Record<ModelProvider, string | null>> = {
  'openai-compatible': null,
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
}

/** How a model is asked for JSON: with an enforced schema, as any JSON object, or only in words. */
export type Rung = 'schema' | 'object' | 'prompt'

/** The rungs that each provider supports, best first. */
export const ladders: Readonly<Record<ModelProvider, readonly Rung[]>> = {
  'openai-compatible': ['schema', 'object', 'prompt'],
  openai: ['schema', 'object', 'prompt'],
  anthropic: ['schema', 'prompt'],
  google: ['schema', 'object', 'prompt'],
}

export interface Endpoint {
  readonly provider: ModelProvider
  readonly baseUrl: string
  readonly apiKey: string | null
  readonly fetch: ModelFetch
}

/** A request body with the newer name of the token limit. */
function renamed({ max_tokens: limit, ...body }: Record<string, unknown>): Record<string, unknown> {
  return { ...body, max_completion_tokens: limit }
}

/** The library's model of that name, without the parameters that it rejects. The library is loaded on first use. */
export async function providerModel({ provider, baseUrl: baseURL, apiKey, fetch }: Endpoint, name: string, { rung, unwanted }: { readonly rung: Rung; readonly unwanted: ReadonlySet<Unwanted> }): Promise<LanguageModelV3> {
  const key = apiKey ?? ''
  switch (provider) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI({ baseURL, apiKey: key, fetch }).chat(name)
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic({ baseURL, apiKey: key, fetch })(name)
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      return createGoogleGenerativeAI({ baseURL, apiKey: key, fetch })(name)
    }
    default: {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      return createOpenAICompatible({ name: 'model', baseURL, fetch, supportsStructuredOutputs: rung === 'schema', ...(unwanted.has('max_tokens') ? { transformRequestBody: renamed } : {}), ...(apiKey === null ? {} : { apiKey }) })(name)
    }
  }
}
