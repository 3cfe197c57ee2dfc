import { randomUUID } from 'node:crypto'
import { type BodyRoom, bodyRoom } from '../../app/body-room.ts'
import { profiles } from '../../app/profiles.ts'
import { limitedLedger, type LiveTerms, liveTerms } from '../../app/team/terms.ts'
import type { Blobs } from '../../domain/blobs.ts'
import type { Ledger } from '../../domain/teams/ledger.ts'
import type { Model } from '../../domain/model.ts'
import type { Profiles } from '../../domain/sessions/profiles.ts'
import type { Store } from '../../domain/store.ts'
import type { Log } from '../../http/ports.ts'
import { every } from '../../lib/sleep.ts'
import { systemClock } from '../clock.ts'
import type { Config } from '../settings/config.ts'
import { openModel } from './model.ts'
import { gatesOf } from '../settings/options.ts'
import { type Outbound, pageMaxBytes } from './outbound.ts'
import type { Tallies } from '../tallies.ts'

/** What most of the service is built on. */
export interface Parts {
  readonly config: Config
  readonly log: Log
  readonly store: Store
  readonly blobs: Blobs
  readonly out: Outbound
  readonly bodies: BodyRoom
  readonly model: Model | null
  readonly profiles: Profiles
  readonly terms: LiveTerms
  readonly ledger: Ledger
  /** What this process has brought to an end. */
  readonly tallies: Tallies
}

/** Profiles over the store; the lock of a profile lasts as long as its process. */
function profilesOf({ config, store, blobs }: Pick<Parts, 'config' | 'store' | 'blobs'>): Profiles {
  const quota = { profiles: config.TRAWL_TEAM_PROFILES, bytes: config.TRAWL_TEAM_PROFILE_BYTES }
  return profiles({ rows: store.profiles, quota, blobs, blobsInUse: store.blobsInUse, leaseMs: config.TRAWL_LEASE_MS, now: systemClock.now, newToken: randomUUID, every })
}

/** Makes the other parts from the settings, the store, the blobs and the outbound side. */
export function partsOf({ config, log, store, out, blobs, tallies }: Pick<Parts, 'config' | 'log' | 'store' | 'out' | 'blobs' | 'tallies'>): Parts {
  const terms = liveTerms(store.accounts, { gates: gatesOf(config), always: config.TRAWL_CREDITS !== null })
  return {
    config,
    log,
    store,
    blobs,
    out,
    bodies: bodyRoom({ bytes: config.TRAWL_BODY_MEMORY_BYTES, largest: pageMaxBytes }),
    model: openModel(config, { own: out.own, abilities: store.abilities, ledger: store.ledger }),
    profiles: profilesOf({ config, store, blobs }),
    terms,
    ledger: limitedLedger(store.ledger, terms),
    tallies,
  }
}
