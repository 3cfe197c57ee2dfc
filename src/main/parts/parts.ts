import { type BodyRoom, bodyRoom } from '../../app/body-room.ts'
import { limitedLedger, type LiveTerms, liveTerms } from '../../app/team/terms.ts'
import type { Blobs } from '../../domain/blobs.ts'
import type { Ledger } from '../../domain/teams/ledger.ts'
import type { Model } from '../../domain/model.ts'
import type { Profiles } from '../../domain/sessions/profiles.ts'
import type { Store } from '../../domain/store.ts'
import type { Log } from '../../http/ports.ts'
import type { Config } from '../settings/config.ts'
import { openModel } from './model.ts'
import { gatesOf } from '../settings/options.ts'
import { type Outbound, pageMaxBytes } from './outbound.ts'
import { profilesOf } from './sessions.ts'
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
