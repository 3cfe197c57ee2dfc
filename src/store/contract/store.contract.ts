import { accountsContract } from './accounts.contract.ts'
import { artifactsContract } from './artifacts.contract.ts'
import { blobRowsContract } from './blob-rows.contract.ts'
import { cacheContract } from './cache.contract.ts'
import { idempotencyContract } from './idempotency.contract.ts'
import { jobsApartContract } from './jobs-apart.contract.ts'
import { jobsAppendContract } from './jobs-append.contract.ts'
import { jobsLeasesContract } from './jobs-leases.contract.ts'
import { jobsRedirectsContract } from './jobs-redirects.contract.ts'
import { jobsSettleContract } from './jobs-settle.contract.ts'
import { jobsSkippedContract } from './jobs-skipped.contract.ts'
import { jobsTakeContract } from './jobs-take.contract.ts'
import { jobsTurnsContract } from './jobs-turns.contract.ts'
import { jobsWatchContract } from './jobs-watch.contract.ts'
import { jobsContract } from './jobs.contract.ts'
import { ledgerContract } from './ledger.contract.ts'
import { lessonsContract } from './lessons.contract.ts'
import { templatesContract } from './templates.contract.ts'
import { outboxReceiversContract } from './outbox-receivers.contract.ts'
import { outboxContract } from './outbox.contract.ts'
import { profilesContract } from './profiles.contract.ts'
import { queueContract } from './queue.contract.ts'
import { receiverPausesContract } from './receiver-pauses.contract.ts'
import { removalContract } from './removal.contract.ts'
import { resultsContract } from './results.contract.ts'
import { searchContract } from './search.contract.ts'
import { sessionsContract } from './sessions.contract.ts'
import { slotsContract } from './slots.contract.ts'
import type { Subject } from './subject.contract.ts'
import { teamsContract } from './teams.contract.ts'
import { upkeepContract } from './upkeep.contract.ts'
import { versionsContract } from './versions.contract.ts'

/** The contract of all stores. */
export function storeContract(name: string, subject: Subject): void {
  for (const suite of [accountsContract, ledgerContract, resultsContract, artifactsContract, cacheContract, idempotencyContract, queueContract, slotsContract, lessonsContract, templatesContract, profilesContract, upkeepContract, jobsContract, jobsSettleContract, jobsRedirectsContract, jobsSkippedContract, jobsTakeContract, jobsTurnsContract, jobsLeasesContract, jobsWatchContract, jobsAppendContract, jobsApartContract, outboxContract, outboxReceiversContract, receiverPausesContract, sessionsContract, teamsContract, removalContract, versionsContract, searchContract, blobRowsContract]) {
    suite(name, subject)
  }
}

/** A part of the contract with every kind of argument and result, for a layer that only passes them on. */
export function carriedContract(name: string, subject: Subject): void {
  for (const suite of [accountsContract, resultsContract, cacheContract, queueContract, jobsContract, blobRowsContract]) suite(name, subject)
}
