import { assertSeeds, assertTeamId } from '../../app/accounts.ts'
import { assertKinds } from '../../app/rate-limits.ts'
import { assertBrowser } from '../parts/browser.ts'
import { type Config, ConfigError } from './config.ts'
import { extractorPath } from '../parts/extractor.ts'
import { modelEndpoint } from '../parts/model.ts'
import { assertSafe } from './options.ts'
import { allowed } from '../parts/outbound.ts'
import { searchProviderNames } from '../parts/search-providers.ts'
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
  assertBrowser(config)
}
