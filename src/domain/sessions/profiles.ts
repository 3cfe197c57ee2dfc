import { limits } from '../../spec/limits.ts'

/** The maximum size of a profile's state. */
export const profileBytes = limits.profileBytes

/** Identifies a profile: the name is hashed, since it is the caller's text (R23). */
export interface ProfileKey {
  readonly team: string
  readonly name: string
}

/** What is saved of a profile. */
export interface SavedProfile {
  /** Blob of the state. */
  readonly blob: string
  readonly bytes: number
  readonly savedAt: number
}

/** How much a team may store. */
export interface ProfileQuota {
  readonly profiles: number
  readonly bytes: number
}

/** The rows of profiles: what is saved, and who may write. */
export interface ProfileRows {
  /** Null when nothing was saved. */
  find(key: ProfileKey): Promise<SavedProfile | null>
  /** Gives the exclusive right to write to that token until `until`; false while another token has it. */
  lock(key: ProfileKey, token: string, until: number, now: number): Promise<boolean>
  /** False when the right was lost. */
  renew(key: ProfileKey, token: string, until: number): Promise<boolean>
  /** What the team stores besides that profile. */
  beside(key: ProfileKey): Promise<ProfileQuota>
  /** `lost`: another token has the right now; `full`: the team would exceed its quota. In both cases nothing is saved. */
  save(key: ProfileKey, token: string, saved: SavedProfile, quota: ProfileQuota): Promise<'saved' | 'lost' | 'full'>
  release(key: ProfileKey, token: string): Promise<void>
  /** Deletes the profile. `locked`: it is being written, so nothing was deleted. */
  remove(key: ProfileKey, now: number): Promise<SavedProfile | 'absent' | 'locked'>
}

/** The exclusive right to write a profile, held until it is released or its process dies. */
export interface ProfileLease {
  /** The state saved last; null when nothing was saved. */
  readonly state: Uint8Array | null
  /** Aborts when the right is lost: later changes cannot be saved. */
  readonly lost: AbortSignal
  /**
   * `lost`: another holder has the right now; `too-large`: above the limit for one profile; `full`: above the team's quota.
   * In these cases nothing is saved.
   */
  save(state: Uint8Array): Promise<'saved' | 'lost' | 'too-large' | 'full'>
  release(): Promise<void>
}

/**
 * Browser storage (cookies, localStorage, IndexedDB), saved under a name that the team chose. States are opaque: only the
 * browser writes and reads them.
 */
export interface Profiles {
  /** The state saved last; null when nothing was saved. Readers need no lock. */
  load(team: string, name: string): Promise<Uint8Array | null>
  /**
   * Null while another holder writes it. Throws `PROFILE_QUOTA_EXCEEDED` for a new profile when the team has reached its
   * quota.
   */
  lock(team: string, name: string): Promise<ProfileLease | null>
  /** Deletes it; also true when nothing was saved, false while it is being written. */
  remove(team: string, name: string): Promise<boolean>
}
