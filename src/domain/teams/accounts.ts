import type { FeatureGate } from './feature-gates.ts'

/** The team of the first key, of keys that are made for no other, and of every request where keys are off. */
export const defaultTeam = 'default'

/** Owner of keys, jobs and credits. */
export interface Team {
  readonly id: string
  readonly createdAt: number
  /** Total credits granted; null when accounting is off. */
  readonly creditsGranted: number | null
}

/** A key as stored: never the key itself (R25). */
export interface ApiKey {
  /** Public handle, for listing and revoking. */
  readonly id: string
  readonly team: string
  /** First characters of the key, for display. */
  readonly prefix: string
  readonly name: string
  readonly createdAt: number
  readonly lastUsedAt: number | null
  readonly revokedAt: number | null
  readonly terms: KeyTerms
}

/** What is configured for one team, beyond the service's settings. */
export interface TeamTerms {
  /** Credits that the team may use per calendar month; null: no monthly limit. */
  readonly budget: number | null
  /** Rate limits of the whole team, in the format that `rates.ts` parses. */
  readonly rates: string | null
  /** The gated features enabled for the team. */
  readonly gates: readonly FeatureGate[]
  /** The key for its webhook signatures; it replaces the one in the settings. */
  readonly webhookSecret: string | null
}

/** A team with its terms. */
export interface TermedTeam extends TeamTerms {
  readonly team: string
  /** Whether a grant or a budget limits the credits of the team or of one of its keys. */
  readonly limited: boolean
}

/** What is configured for one key. */
export interface KeyTerms {
  /** Credits that may be used with the key per calendar month. */
  readonly budget: number | null
  /** Rate limits of the key, which replace those in the settings for each kind of request that they name. */
  readonly rates: string | null
}

/** Teams and their API keys, of which only the SHA-256 is stored (R25). */
export interface Accounts {
  /** Creates the team when it does not exist; `creditsGranted` applies to a new team only. */
  ensureTeam(id: string, creditsGranted: number | null, now: number): Promise<Team>
  team(id: string): Promise<Team | null>
  teams(): Promise<readonly Team[]>
  /** False when a key with that hash already exists; nothing is changed then. */
  addKey(key: { id: string; hash: string; team: string; prefix: string; name: string; createdAt: number }): Promise<boolean>
  /** The key with that hash, revoked or not; null when unknown. */
  keyByHash(hash: string): Promise<ApiKey | null>
  /** Newest first; the keys of one team, or of all. */
  keys(team?: string): Promise<readonly ApiKey[]>
  /** False when there is no such key or it is already revoked. */
  revokeKey(id: string, now: number): Promise<boolean>
  touchKeys(uses: readonly { id: string; at: number }[]): Promise<void>
  /** Changes the given terms and keeps the others; false when there is no such team. */
  setTeam(id: string, terms: Partial<TeamTerms>): Promise<boolean>
  /** Changes the given terms of a key; false when there is no such key. */
  setKey(id: string, terms: Partial<KeyTerms>): Promise<boolean>
  /** Teams that have terms of their own, or whose credits are limited. */
  terms(): Promise<readonly TermedTeam[]>
  /**
   * Adds to a team's grant; a team without a grant starts from what it has used. Null removes the limit. Returns false when
   * there is no such team.
   */
  grant(id: string, credits: number | null): Promise<boolean>
}
