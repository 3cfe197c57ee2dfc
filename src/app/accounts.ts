import { randomInt, randomUUID } from 'node:crypto'
import { ServiceError } from '../domain/errors.ts'
import { type Accounts, type ApiKey, defaultTeam } from '../domain/teams/accounts.ts'
import { sha256 } from '../lib/sha256.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const keyLength = 32
const prefixLength = 7

/** The format of a key given in the settings (contract §15.1), which is also a valid WebSocket sub-protocol token. */
const seededForm = /^[A-Za-z0-9_-]{16,128}$/
const teamForm = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/

export interface AccountPorts {
  readonly accounts: Accounts
  readonly now: () => number
  /** Credits of a new team; null where accounting is off. */
  readonly creditsPerTeam: number | null
}

/** SHA-256 in hex: a fast hash is enough for 190 random bits (R25). */
function hashOfKey(key: string): string {
  return sha256(key)
}

function newKey(): string {
  return `fc-${Array.from({ length: keyLength }, () => alphabet[randomInt(alphabet.length)]).join('')}`
}

/** Throws `BAD_REQUEST` unless the text can be a team's id. */
export function assertTeamId(team: string): void {
  if (!teamForm.test(team)) throw new ServiceError('BAD_REQUEST', `"${team}" is no team name: use letters, digits, dot, dash and underscore, at most 64.`)
}

async function addKey(key: string, team: string, name: string, ports: AccountPorts): Promise<boolean> {
  await ports.accounts.ensureTeam(team, ports.creditsPerTeam, ports.now())
  return ports.accounts.addKey({ id: randomUUID(), hash: hashOfKey(key), team, prefix: key.slice(0, prefixLength), name, createdAt: ports.now() })
}

/** Creates a key, and its team if needed, and answers it: the only time the key is shown. Throws `BAD_REQUEST` for a bad team name. */
export async function createKey(team: string, name: string, ports: AccountPorts): Promise<string> {
  assertTeamId(team)
  const key = newKey()
  await addKey(key, team, name, ports)
  return key
}

/** A key of the settings. */
export interface Seed {
  readonly team: string
  readonly key: string
}

/**
 * Throws `BAD_REQUEST` for malformed keys, and for a key given to two teams. The message counts the entries and quotes
 * nothing: in one written the wrong way round, the key is where the team should be.
 */
export function assertSeeds(seeds: readonly Seed[]): void {
  const teams = new Map<string, string>()
  seeds.forEach(({ team, key }, at) => {
    const entry = `Entry ${at + 1} of ${seeds.length}`
    if (!teamForm.test(team)) throw new ServiceError('BAD_REQUEST', `${entry} has no team name before its colon: use letters, digits, dot, dash and underscore, at most 64.`)
    if (!seededForm.test(key)) throw new ServiceError('BAD_REQUEST', `${entry} has no key after its colon: write team:key, the key as 16 to 128 of A-Z, a-z, 0-9, dash and underscore.`)
    if ((teams.get(key) ?? team) !== team) throw new ServiceError('BAD_REQUEST', `${entry} gives the key of another team to a second one.`)
    teams.set(key, team)
  })
}

/** Adds the keys from the settings. Existing keys are unchanged; revoked ones stay revoked. */
export async function seedKeys(seeds: readonly Seed[], ports: AccountPorts): Promise<void> {
  assertSeeds(seeds)
  for (const { team, key } of seeds) await addKey(key, team, 'seeded', ports)
}

/** Creates a first key if no key works; null if one does. */
export async function firstKey(ports: AccountPorts): Promise<string | null> {
  const keys = await ports.accounts.keys()
  return keys.some((key) => key.revokedAt === null) ? null : createKey(defaultTeam, 'first key', ports)
}

/** The key that a request presents. Throws `UNAUTHORIZED`. */
export async function authenticate(key: string | null, accounts: Accounts): Promise<ApiKey> {
  const found = key === null ? null : await accounts.keyByHash(hashOfKey(key))
  if (found === null) throw new ServiceError('UNAUTHORIZED', key === null ? 'Send the API key as "Authorization: Bearer <key>".' : 'Unknown API key; who runs this service makes one with "trawl keys create".')
  if (found.revokedAt !== null) throw new ServiceError('UNAUTHORIZED', 'This API key is revoked.')
  return found
}
