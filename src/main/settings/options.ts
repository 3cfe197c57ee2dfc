import { randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import { isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FeatureGates } from '../../domain/teams/feature-gates.ts'
import { withBrackets } from '../../lib/endpoint-of.ts'
import { type S3Credentials, s3Place, type S3Place, type StoreOptions } from '../../store/index.ts'
import { type Config, ConfigError } from './config.ts'
import { assertPeers } from '../peers.ts'

/** The roles of a process. */
export type Role = 'api' | 'worker'

/** Parses roles. Throws `ConfigError` when the text names none. */
export function rolesOf(text: string): readonly Role[] {
  const roles = text === 'all' ? (['api', 'worker'] as const) : text.split(',').map((role) => role.trim())
  const known = roles.filter((role): role is Role => role === 'api' || role === 'worker')
  if (known.length === 0 || known.length !== roles.length) throw new ConfigError(`TRAWL_ROLES "${text}" is not all, api, worker or a comma list of these.`)
  return [...new Set(known)]
}

/** A URL of Postgres that names several servers, as libpq allows it; the driver knows one. */
const severalServers = /^postgres(?:ql)?:\/\/(?:[^/?#]*,[^@/?#]*(?:[/?#]|$)|[^?]*\?(?:[^#]*&)?host=[^&#]*,)/

/** The configured store. Throws `ConfigError` for the URL of another kind of database, or of several servers. */
export function storeOptions(config: Config): StoreOptions {
  const url = config.TRAWL_DATABASE_URL
  const crashPoint = config.TRAWL_CRASH_POINT ?? undefined
  if (url === null) return { kind: 'sqlite', dataDir: resolve(config.TRAWL_DATA_DIR), crashPoint }
  if (!/^postgres(ql)?:\/\//.test(url)) throw new ConfigError('TRAWL_DATABASE_URL (or DATABASE_URL) must start with postgres://.')
  if (severalServers.test(url)) throw new ConfigError('TRAWL_DATABASE_URL (or DATABASE_URL) must name one server: of several, give an address that leads to the one that takes writes.')
  return { kind: 'postgres', url, maxConnections: config.TRAWL_DATABASE_CONNECTIONS, crashPoint }
}

/** Where blobs are kept. */
export type BlobOptions = { readonly kind: 'disk'; readonly folder: string } | { readonly kind: 's3'; readonly place: S3Place; readonly credentials: S3Credentials }

/** The configured blob store. Throws `ConfigError` for an unknown one, or one without credentials. */
export function blobOptions(config: Config): BlobOptions {
  const url = config.TRAWL_BLOB_URL
  if (url === null) return { kind: 'disk', folder: resolve(config.TRAWL_DATA_DIR, 'blobs') }
  if (url.startsWith('s3:')) return { kind: 's3', place: placeIn(url), credentials: credentialsIn(config) }
  if (!url.startsWith('file:')) throw new ConfigError('TRAWL_BLOB_URL must start with file: or s3://.')
  return { kind: 'disk', folder: folderIn(url) }
}

function folderIn(url: string): string {
  try {
    const folder = url.startsWith('file://') ? fileURLToPath(url) : url.slice('file:'.length)
    if (isAbsolute(folder) && resolve(folder) !== '/') return resolve(folder)
  } catch {
    // Reported below.
  }
  throw new ConfigError('TRAWL_BLOB_URL must name a folder by its absolute path: file:/mnt/trawl.')
}

function placeIn(url: string): S3Place {
  try {
    return s3Place(url)
  } catch (error) {
    throw new ConfigError(`TRAWL_BLOB_URL ${error instanceof Error ? error.message : 'cannot be used'}.`)
  }
}

function credentialsIn(config: Config): S3Credentials {
  const { TRAWL_S3_ACCESS_KEY_ID: accessKeyId, TRAWL_S3_SECRET_ACCESS_KEY: secretAccessKey } = config
  if (accessKeyId === null || secretAccessKey === null) throw new ConfigError('TRAWL_BLOB_URL with s3:// needs TRAWL_S3_ACCESS_KEY_ID and TRAWL_S3_SECRET_ACCESS_KEY.')
  // Both are sent or signed without encoding.
  if (!/^[\x21-\x7e]+$/.test(accessKeyId + secretAccessKey) || /[,/]/.test(accessKeyId)) throw new ConfigError('TRAWL_S3_ACCESS_KEY_ID or TRAWL_S3_SECRET_ACCESS_KEY has characters that no such key has.')
  return { accessKeyId, secretAccessKey }
}

/** The features that the settings grant to teams. */
export function gatesOf(config: Config): FeatureGates {
  return { zeroRetention: config.TRAWL_ZDR_TEAMS, ignoreRobots: config.TRAWL_IGNORE_ROBOTS_TEAMS, enterpriseSearch: config.TRAWL_ENTERPRISE_SEARCH_TEAMS }
}

/** Whether only this machine can reach the address. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/** Throws `ConfigError` for combinations of settings that must not start. */
export function assertSafe(config: Config): void {
  const roles = rolesOf(config.TRAWL_ROLES)
  if (config.TRAWL_AUTH === 'off' && !isLoopbackHost(config.TRAWL_HOST)) throw new ConfigError('TRAWL_AUTH=off is allowed only where TRAWL_HOST is a loopback address.')
  if (config.TRAWL_UNSAFE_CODE_EXECUTION === 'on' && !isLoopbackHost(config.TRAWL_HOST)) throw new ConfigError('TRAWL_UNSAFE_CODE_EXECUTION=on is allowed only where TRAWL_HOST is a loopback address.')
  const store = storeOptions(config)
  if (roles.length === 1 && store.kind === 'sqlite') throw new ConfigError('Roles run apart only with Postgres: set TRAWL_DATABASE_URL, or TRAWL_ROLES=all.')
  blobOptions(config)
  assertPeers(config)
}

/** A listening address as a URL. */
export const listeningUrl = (host: string, port: number): string => `http://${withBrackets(host)}:${port}`

/** The base URL of a listening address, for people on this machine. */
export const baseUrl = (host: string, port: number): string => listeningUrl(host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host, port)

/** The token for metrics: beyond loopback it is required, so without one nobody gets them. */
export function metricsToken(config: Config): string | null {
  if (config.TRAWL_METRICS_TOKEN !== null) return config.TRAWL_METRICS_TOKEN
  return isLoopbackHost(config.TRAWL_HOST) ? null : randomUUID()
}
