import { countedModel } from '../../app/team/counted-model.ts'
import type { Abilities, Model } from '../../domain/model.ts'
import type { Ledger } from '../../domain/teams/ledger.ts'
import { defaultBaseUrls, languageModel } from '../../llm/index.ts'
import { nameResolver, operatorHttp, type OwnEndpoints } from '../../net/index.ts'
import { systemClock } from '../clock.ts'
import { type Config, ConfigError } from '../settings/config.ts'
import { endpointOf } from '../../lib/endpoint-of.ts'

/** The configured language model; null when none is set. Throws `ConfigError` for an incomplete configuration. */
export function modelEndpoint(config: Config): { readonly url: URL; readonly name: string } | null {
  const { TRAWL_LLM_PROVIDER: provider, TRAWL_LLM_MODEL: name } = config
  const text = config.TRAWL_LLM_BASE_URL ?? (name === null ? null : defaultBaseUrls[provider])
  if (name === null && text === null) return null
  if (name === null) throw new ConfigError('TRAWL_LLM_BASE_URL needs the name of a model in TRAWL_LLM_MODEL.')
  if (text === null) throw new ConfigError('TRAWL_LLM_MODEL needs the address of its server in TRAWL_LLM_BASE_URL.')
  if (provider !== 'openai-compatible' && config.TRAWL_LLM_API_KEY === null) throw new ConfigError(`TRAWL_LLM_PROVIDER=${provider} needs TRAWL_LLM_API_KEY.`)
  return { url: new URL(text), name }
}

/** The language model of the settings; null without one. Private addresses of its server are added to `own`, so that pages do not reach it; its tokens are counted in the ledger. Throws `ConfigError`. */
export function openModel(config: Config, { own, abilities, ledger }: { readonly own: OwnEndpoints; readonly abilities: Abilities; readonly ledger: Pick<Ledger, 'addTokens'> }): Model | null {
  const endpoint = modelEndpoint(config)
  if (endpoint === null) return null
  const resolver = nameResolver({ servers: config.TRAWL_EGRESS_DNS_SERVERS })
  const timeoutMs = config.TRAWL_LLM_TIMEOUT_MS
  const http = operatorHttp(endpoint.url, { resolver, own, quietMs: timeoutMs, via: config.TRAWL_LLM_PROXY ?? undefined })
  const longModel = config.TRAWL_LLM_LONG_MODEL
  const model = languageModel({
    provider: config.TRAWL_LLM_PROVIDER,
    baseUrl: endpoint.url.href.replace(/\/+$/, ''),
    apiKey: config.TRAWL_LLM_API_KEY,
    model: endpoint.name,
    longModel,
    http,
    timeoutMs,
    limits: { input: config.TRAWL_LLM_INPUT_TOKENS, longInput: longModel === null ? null : config.TRAWL_LLM_LONG_INPUT_TOKENS, output: config.TRAWL_LLM_MAX_TOKENS },
    abilities,
    now: systemClock.now,
  })
  return {
    ...countedModel(model, ledger, systemClock.now),
    close() {
      model.close()
      resolver.close()
    },
  }
}

/** Hosts and ports that only the language model may use, never pages. Throws `ConfigError`. */
export function modelEndpoints(config: Config): readonly { readonly host: string; readonly port: number }[] {
  const endpoint = modelEndpoint(config)
  if (endpoint === null) return []
  return [endpointOf(endpoint.url), ...(config.TRAWL_LLM_PROXY === null ? [] : [config.TRAWL_LLM_PROXY])]
}
