import { limits } from '../spec/limits.ts'

/** The largest state that is kept of a profile. */
export const profileBytes = limits.profileBytes

/** Whose profile: the name only as a hash, for it is a text of the caller's (R23). */
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

/** How much a team may keep. */
export interface ProfileQuota {
  readonly profiles: number
  readonly bytes: number
}

/** The rows of profiles: what is saved, and who may write. */
export interface ProfileRows {
  /** Null when nothing was saved. */
  find(key: ProfileKey): Promise<SavedProfile | null>
  /** Gives that token, and no other, the right to write until `until`; false while another has it. */
  lock(key: ProfileKey, token: string, until: number, now: number): Promise<boolean>
  /** False when the right was lost. */
  renew(key: ProfileKey, token: string, until: number): Promise<boolean>
  /** What the team keeps beside that profile. */
  beside(key: ProfileKey): Promise<ProfileQuota>
  /** `lost`: the state of whoever has the right now counts; `full`: with it the team would keep more than it may. Nothing is saved then. */
  save(key: ProfileKey, token: string, saved: SavedProfile, quota: ProfileQuota): Promise<'saved' | 'lost' | 'full'>
  release(key: ProfileKey, token: string): Promise<void>
  /** Forgets the profile. `locked`: nothing was done, as it is being written. */
  remove(key: ProfileKey, now: number): Promise<SavedProfile | 'absent' | 'locked'>
}

/** The right to write a profile, held until it is released or its process dies. */
export interface ProfileLease {
  /** What was saved last; null when nothing was. */
  readonly state: Uint8Array | null
  /** Aborts when the right is lost: what is done from then on cannot be saved. */
  readonly lost: AbortSignal
  /** `lost`: another has the right by now; `too-large`: more than is kept of a profile; `full`: more than is kept of the team. Nothing is saved then. */
  save(state: Uint8Array): Promise<'saved' | 'lost' | 'too-large' | 'full'>
  release(): Promise<void>
}

/** What sites leave in a browser (cookies, localStorage, IndexedDB), kept under a name of the team's. A state is what the browser made and what it takes. */
export interface Profiles {
  /** What was saved last; null when nothing was. Any number may read. */
  load(team: string, name: string): Promise<Uint8Array | null>
  /** Null while another writes it. Throws `PROFILE_QUOTA_EXCEEDED` for a new one where the team keeps as many, or as much, as it may. */
  lock(team: string, name: string): Promise<ProfileLease | null>
  /** Forgets it; true also where nothing was saved, false while it is being written. */
  remove(team: string, name: string): Promise<boolean>
}
