import type { FeatureGate } from './feature-gates.ts'

/** Owner of keys, jobs and credits. */
export interface Team {
  readonly id: string
  readonly createdAt: number
  /** Credits granted in all; null where accounting is off. */
  readonly creditsGranted: number | null
}

/** A key as the store knows it: never the key itself (R25). */
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

/** What is set for a team beside what the settings say. */
export interface TeamTerms {
  /** Credits that it may use in a calendar month; null: as many as it has. */
  readonly budget: number | null
  /** Rate limits of the team as a whole, as `domain/rates` reads them. */
  readonly rates: string | null
  /** Features that are on for it. */
  readonly gates: readonly FeatureGate[]
  /** Key of its webhook signatures, in place of that of the settings. */
  readonly webhookSecret: string | null
}

/** The terms of a team. */
export interface TermedTeam extends TeamTerms {
  readonly team: string
  /** Whether anything limits the credits that the team, or one of its keys, may use. */
  readonly limited: boolean
}

/** What is set for a key. */
export interface KeyTerms {
  /** Credits that may be used with it in a calendar month. */
  readonly budget: number | null
  /** Its rate limits, kind by kind in place of those of the settings. */
  readonly rates: string | null
}

/** Teams and their keys; keys are known by their SHA-256 only (R25). */
export interface Accounts {
  /** Creates the team when it does not exist; `creditsGranted` applies to a new team only. */
  ensureTeam(id: string, creditsGranted: number | null, now: number): Promise<Team>
  team(id: string): Promise<Team | null>
  teams(): Promise<readonly Team[]>
  /** False when a key with that hash exists already (nothing is changed). */
  addKey(key: { id: string; hash: string; team: string; prefix: string; name: string; createdAt: number }): Promise<boolean>
  /** The key of that hash, revoked or not; null when unknown. */
  keyByHash(hash: string): Promise<ApiKey | null>
  /** Newest first; of one team, or of all. */
  keys(team?: string): Promise<readonly ApiKey[]>
  /** False when there is no such key, or it is revoked already. */
  revokeKey(id: string, now: number): Promise<boolean>
  touchKeys(uses: readonly { id: string; at: number }[]): Promise<void>
  /** Changes what is given, and leaves the rest; false when there is no such team. */
  setTeam(id: string, terms: Partial<TeamTerms>): Promise<boolean>
  /** The same for a key. */
  setKey(id: string, terms: Partial<KeyTerms>): Promise<boolean>
  /** Teams for which something is set, or that something limits. */
  terms(): Promise<readonly TermedTeam[]>
  /** Adds to what a team was granted; one that nothing was granted to starts with what it has used. Null: nothing limits it any more. False when there is no such team. */
  grant(id: string, credits: number | null): Promise<boolean>
}
