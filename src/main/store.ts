import { resolve } from 'node:path'
import { StoreAway } from '../domain/errors.ts'
import type { Store } from '../domain/store.ts'
import { openStore } from '../store/index.ts'
import { type Config, ConfigError } from './config.ts'
import { storeOptions } from './options.ts'

/** As whom the store is opened: beside a service, or as one. */
export type Opener = { readonly admin: true } | { readonly onFatal: (error: Error) => void }

/** Opens the store of the settings. Throws with one sentence: what the system, the file or the server says, with the setting that led there. */
export async function openStoreOf(config: Config, opener: Opener): Promise<Store> {
  const options = storeOptions(config)
  try {
    return await openStore(options.kind === 'sqlite' ? { ...options, ...opener } : options)
  } catch (error) {
    // What we refuse ourselves says what to do.
    if (!(error instanceof StoreAway) && !(error instanceof Error && 'code' in error)) throw error
    const what = options.kind === 'sqlite' ? `The data folder ${resolve(config.TRAWL_DATA_DIR)} (TRAWL_DATA_DIR)` : 'The database (TRAWL_DATABASE_URL)'
    throw new ConfigError(`${what} cannot be used: ${error.message}.`, { cause: error })
  }
}
