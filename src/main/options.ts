import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Gates } from '../domain/gates.ts'
import type { StoreOptions } from '../store/index.ts'
import { type Config, ConfigError } from './config.ts'

/** The roles of a process. */
export type Role = 'api' | 'worker'

/** Throws `ConfigError` when the text names no roles. */
export function rolesOf(text: string): readonly Role[] {
  const roles = text === 'all' ? (['api', 'worker'] as const) : text.split(',').map((role) => role.trim())
  const known = roles.filter((role): role is Role => role === 'api' || role === 'worker')
  if (known.length === 0 || known.length !== roles.length) throw new ConfigError(`TRAWL_ROLES "${text}" is not all, api, worker or a comma list of these.`)
  return [...new Set(known)]
}

/** Which store the settings name. Throws `ConfigError` for a URL of another kind of database. */
export function storeOptions(config: Config): StoreOptions {
  const url = config.TRAWL_DATABASE_URL
  if (url === null) return { kind: 'sqlite', dataDir: resolve(config.TRAWL_DATA_DIR) }
  if (!/^postgres(ql)?:\/\//.test(url)) throw new ConfigError('TRAWL_DATABASE_URL (or DATABASE_URL) must start with postgres://.')
  return { kind: 'postgres', url }
}

/** Folder of the blobs. Throws `ConfigError` for a kind of blob store that this release does not have. */
export function blobFolder(config: Config): string {
  const url = config.TRAWL_BLOB_URL
  if (url === null) return resolve(config.TRAWL_DATA_DIR, 'blobs')
  if (!url.startsWith('file:')) throw new ConfigError('TRAWL_BLOB_URL must start with file: in this release.')
  return url.startsWith('file://') ? fileURLToPath(url) : resolve(url.slice('file:'.length))
}

/** The features that the settings grant team by team. */
export function gatesOf(config: Config): Gates {
  return { zeroRetention: config.TRAWL_ZDR_TEAMS, ignoreRobots: config.TRAWL_IGNORE_ROBOTS_TEAMS, enterpriseSearch: config.TRAWL_ENTERPRISE_SEARCH_TEAMS }
}

/** Whether only this machine can reach the address. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/** Combinations that must not start. Throws `ConfigError`. */
export function assertSafe(config: Config): void {
  const roles = rolesOf(config.TRAWL_ROLES)
  if (config.TRAWL_AUTH === 'off' && !isLoopbackHost(config.TRAWL_HOST)) throw new ConfigError('TRAWL_AUTH=off is allowed only where TRAWL_HOST is a loopback address.')
  const store = storeOptions(config)
  if (roles.length === 1 && store.kind === 'sqlite') throw new ConfigError('Roles run apart only with Postgres: set TRAWL_DATABASE_URL, or TRAWL_ROLES=all.')
  gatesOf(config)
  blobFolder(config)
}

/** The base URL of a listening address, for people. */
export function baseUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
