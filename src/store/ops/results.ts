import type { Artifact, Settlement, SettlementOutcome, StoredResult } from '../../domain/pages/results.ts'
import { type Op, first, run } from '../op.ts'
import { sql } from '../sql.ts'
import { keepEnclosed } from './blobs.ts'
import { putEntry } from './cache.ts'
import { ledger } from './ledger.ts'
import { putVersion } from './versions.ts'

/** What finished scrapes leave behind. */
export const results = {
  *settle(settlement: Settlement): Op<SettlementOutcome> {
    // First, since nothing may be written if the version cannot be.
    if (settlement.version && !(yield* putVersion(settlement.version))) return 'outdated'
    yield* keepEnclosed(settlement.enclosed)
    if (settlement.result) yield* put(settlement.result)
    if (settlement.cache) yield* putEntry(settlement.cache)
    for (const artifact of settlement.artifacts ?? []) yield* keepArtifact(artifact)
    // Last, since all scrapes of a team share the row of the month, which Postgres locks from here to the commit.
    if (settlement.charge) yield* ledger.charge(settlement.team, settlement.charge)
    return 'settled'
  },

  *find(id: string): Op<StoredResult | null> {
    // A job's results live as long as the job; with zero retention they are only part of it (contract §15.22).
    return yield* first<StoredResult>(sql`select r.id, r.team, r.kind, r.blob, r.frame, r.request, r.created_at as "createdAt", coalesce(j.expires_at, r.expires_at) as "expiresAt"
      from results r left join jobs j on j.id = r.job where r.id = ${id} and coalesce(j.retention, 'normal') = 'normal'`)
  },

  *artifact(token: string): Op<Artifact | null> {
    return yield* first<Artifact>(sql`select token, team, blob, media, expires_at as "expiresAt" from artifacts where token = ${token}`)
  },
}

/** Stores a file that an answer points to. */
export function* keepArtifact({ token, team, blob, media, expiresAt }: Artifact): Op<void> {
  yield* run(sql`insert into artifacts (token, team, blob, media, expires_at) values (${token}, ${team}, ${blob}, ${media}, ${expiresAt})`)
}

/** A result settled twice keeps its first form, which a reader may have seen. */
function* put(result: StoredResult): Op<void> {
  yield* run(sql`insert into results (id, team, kind, blob, frame, request, created_at, expires_at)
    values (${result.id}, ${result.team}, ${result.kind}, ${result.blob}, ${result.frame}, ${result.request}, ${result.createdAt}, ${result.expiresAt})
    on conflict (id) do nothing`)
}
