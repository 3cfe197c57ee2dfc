import { assertSeeds, assertTeamId } from '../../app/accounts.ts'
import { assertKinds } from '../../app/rate-limits.ts'
import { assertLists } from '../parts/browser.ts'
import { type Config, ConfigError } from './config.ts'
import { extractorPath } from '../parts/extractor.ts'
import { modelEndpoint } from '../parts/model.ts'
import { assertSafe, blobOptions, storeOptions } from './options.ts'
import { allowed } from '../parts/outbound.ts'
import { searchProviderNames } from '../parts/search-providers.ts'
import { type SettingName, settings } from './settings.ts'
import { assertSecret, fallbackOf } from '../parts/webhooks.ts'

function naming(name: string, check: () => void): void {
  try {
    check()
  } catch (error) {
    throw new ConfigError(`${name}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Settings that name teams; `*` stands for all. */
const teamLists = ['TRAWL_ZDR_TEAMS', 'TRAWL_IGNORE_ROBOTS_TEAMS', 'TRAWL_ENTERPRISE_SEARCH_TEAMS'] as const

/** Settings that mean nothing without another one, whether that is there, and how to set it. */
const dependents: readonly { readonly names: readonly SettingName[]; readonly has: (config: Config) => boolean; readonly needed: string }[] = [
  { names: ['TRAWL_DATABASE_CONNECTIONS'], has: (config) => storeOptions(config).kind === 'postgres', needed: 'TRAWL_DATABASE_URL' },
  { names: ['TRAWL_S3_ACCESS_KEY_ID', 'TRAWL_S3_SECRET_ACCESS_KEY'], has: (config) => blobOptions(config).kind === 's3', needed: 'TRAWL_BLOB_URL with s3://' },
  { names: ['TRAWL_LLM_PROVIDER', 'TRAWL_LLM_API_KEY', 'TRAWL_LLM_LONG_MODEL', 'TRAWL_LLM_PROXY', 'TRAWL_LLM_TIMEOUT_MS', 'TRAWL_LLM_MAX_TOKENS', 'TRAWL_LLM_INPUT_TOKENS', 'TRAWL_AGENT_MAX_STEPS', 'TRAWL_AGENT_MAX_TOKENS'], has: (config) => modelEndpoint(config) !== null, needed: 'TRAWL_LLM_MODEL' },
  { names: ['TRAWL_LLM_LONG_INPUT_TOKENS'], has: (config) => config.TRAWL_LLM_LONG_MODEL !== null, needed: 'TRAWL_LLM_LONG_MODEL' },
]

/** Throws `ConfigError` for a setting that nothing would use; one with its default counts as not set. */
function assertUsed(config: Config): void {
  for (const { names, has, needed } of dependents) {
    const unused = has(config) ? undefined : names.find((name) => config[name] !== settings[name].read(undefined))
    if (unused !== undefined) throw new ConfigError(`${unused} is of no use without ${needed}.`)
  }
}

/** Throws `ConfigError` for settings with which a service cannot start, as far as they alone tell; nothing is opened. */
export function assertUsable(config: Config): void {
  assertSafe(config)
  naming('TRAWL_RATE_LIMITS', () => assertKinds(config.TRAWL_RATE_LIMITS))
  naming('TRAWL_API_KEYS', () => assertSeeds(config.TRAWL_API_KEYS))
  for (const name of teamLists) naming(name, () => config[name].filter((team) => team !== '*').forEach(assertTeamId))
  allowed('TRAWL_ALLOW_PRIVATE_ADDRESSES', config.TRAWL_ALLOW_PRIVATE_ADDRESSES)
  allowed('TRAWL_WEBHOOK_ALLOW_PRIVATE_ADDRESSES', config.TRAWL_WEBHOOK_ALLOW_PRIVATE_ADDRESSES)
  assertSecret(config.TRAWL_WEBHOOK_SECRET, config, 'TRAWL_WEBHOOK_SECRET')
  fallbackOf(config)
  searchProviderNames(config)
  modelEndpoint(config)
  extractorPath(config)
  assertLists(config)
  assertUsed(config)
}
