import { resolve } from 'node:path'
import { createKey } from '../../app/accounts.ts'
import type { Store } from '../../domain/store.ts'
import { defaultTeam } from '../../domain/teams/accounts.ts'
import { isoTime } from '../../lib/time.ts'
import { storeIsThere } from '../../store/index.ts'
import { type Config, ConfigError } from '../settings/config.ts'
import { storeOptions } from '../settings/options.ts'
import { openStoreOf } from '../parts/store.ts'

const folderOf = (config: Config): string => `${resolve(config.TRAWL_DATA_DIR)} (TRAWL_DATA_DIR)`

/**
 * Opens the store beside a running service, for one command. Throws when there is none: the caller probably meant another
 * one.
 */
export async function withStore<T>(config: Config, work: (store: Store) => Promise<T>): Promise<T> {
  if (!(await storeIsThere(storeOptions(config)))) throw new ConfigError(`There is no store in ${folderOf(config)}; give the command the settings of the service.`)
  return opened(config, work)
}

/** The same for commands that may precede the first start of a service; reports where a store was created. */
export async function withNewStore<T>(config: Config, work: (store: Store) => Promise<T>): Promise<T> {
  const before = await storeIsThere(storeOptions(config))
  const answer = await opened(config, work)
  if (!before) console.error(`Made a new store in ${folderOf(config)}.`)
  return answer
}

async function opened<T>(config: Config, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStoreOf(config, { admin: true })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** Creates a key, and its team where there is none of that name, and prints it: the only time it is shown. */
export async function create(team: string, name: string, config: Config): Promise<void> {
  const { key, isNew } = await withNewStore(config, async ({ accounts }) => {
    const known = await accounts.team(team)
    return { key: await createKey(team, name, { accounts, now: Date.now, creditsPerTeam: config.TRAWL_CREDITS }), isNew: known === null }
  })
  // Beside the key, which scripts read: a team that was meant to be there already may be a slip of the pen.
  if (isNew && team !== defaultTeam) console.error(`Made team ${team}.`)
  console.log(key)
}

/** Prints every key: id, team, first characters, dates. */
export async function list(config: Config): Promise<void> {
  const keys = await withStore(config, (store) => store.accounts.keys())
  const when = (at: number | null): string => (at === null ? '-' : isoTime(at))
  console.log(['ID', 'TEAM', 'KEY', 'NAME', 'CREATED', 'LAST USED', 'REVOKED', 'BUDGET', 'RATE LIMITS'].join('\t'))
  for (const key of keys) console.log([key.id, key.team, `${key.prefix}…`, key.name, isoTime(key.createdAt), when(key.lastUsedAt), when(key.revokedAt), key.terms.budget ?? '-', key.terms.rates ?? '-'].join('\t'))
}

/** Revokes a key. Throws when no working key has that id. */
export async function revoke(id: string, config: Config): Promise<void> {
  const done = await withStore(config, (store) => store.accounts.revokeKey(id, Date.now()))
  if (!done) throw new Error(`No working key has the id ${id}; "trawl keys list" shows them.`)
  console.log(`Revoked ${id}.`)
}

/** Options for a key on the command line; missing ones stay unchanged. */
export interface KeyOptions {
  readonly budget?: string
  readonly rateLimits?: string
}

/** Sets limits of a key. Throws when there is no such key, or nothing to change. */
export async function set(id: string, { budget, rateLimits }: KeyOptions, config: Config): Promise<void> {
  const { budgetIn, ratesIn } = await import('./limits.ts')
  const terms = { ...(budget === undefined ? {} : { budget: budgetIn(budget) }), ...(rateLimits === undefined ? {} : { rates: ratesIn(rateLimits) }) }
  if (Object.keys(terms).length === 0) throw new Error('Say what to set: --budget or --rate-limits.')
  if (!(await withStore(config, ({ accounts }) => accounts.setKey(id, terms)))) throw new Error(`No key has the id ${id}; "trawl keys list" shows them.`)
  console.log(`Set for key ${id}; a running service knows within five seconds.`)
}
