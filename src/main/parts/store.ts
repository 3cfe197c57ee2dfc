import { resolve } from 'node:path'
import { StoreAway } from '../../domain/errors.ts'
import type { Store } from '../../domain/store.ts'
import { withoutBrackets } from '../../lib/endpoint-of.ts'
import { urlOf } from '../../lib/url-of.ts'
import { openStore } from '../../store/index.ts'
import { type Config, ConfigError } from '../settings/config.ts'
import { storeOptions } from '../settings/options.ts'
import { withRemedy } from './remedies.ts'

/** Who opens the store: a command beside a service, or the service. */
export type Opener = { readonly admin: true } | { readonly onFatal: (error: Error) => void }

/**
 * Opens the configured store. Throws one sentence: the error of the system, file or server, with the setting that is
 * responsible.
 */
export async function openStoreOf(config: Config, opener: Opener): Promise<Store> {
  const options = storeOptions(config)
  try {
    return await openStore(options.kind === 'sqlite' ? { ...options, ...opener } : options)
  } catch (error) {
    // Our own errors already say what to do.
    if (!(error instanceof StoreAway) && !(error instanceof Error && 'code' in error)) throw error
    const what = options.kind === 'sqlite' ? `The data folder ${resolve(config.TRAWL_DATA_DIR)} (TRAWL_DATA_DIR)` : 'The database (TRAWL_DATABASE_URL)'
    throw new ConfigError(`${what} cannot be used: ${withRemedy(error)}.`, { cause: error })
  }
}

/** Host and port that only the database's driver may use, never pages; none for the embedded store and a socket file. */
export function databaseEndpoints({ TRAWL_DATABASE_URL: text }: Config): readonly { readonly host: string; readonly port: number }[] {
  // As the driver reads it: a server without a name is on this machine.
  const url = text === null ? null : urlOf(text.replace('@/', '@localhost/'))
  const host = url?.searchParams.get('host') || withoutBrackets(url?.hostname ?? '') || 'localhost'
  return url === null || /[/%]/.test(host) ? [] : [{ host, port: Number(url.searchParams.get('port') || url.port || 5432) }]
}
