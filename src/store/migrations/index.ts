import type { Sql } from '../sql.ts'
import { statements as foundation } from './0001-foundation.ts'
import { statements as lessons } from './0002-lessons.ts'
import { statements as frames } from './0003-frames.ts'
import { statements as artifacts } from './0004-artifacts.ts'
import { statements as jobs } from './0005-jobs.ts'
import { statements as profiles } from './0006-profiles.ts'
import { statements as sessions } from './0007-sessions.ts'
import { statements as teams } from './0008-teams.ts'
import { statements as versions } from './0009-versions.ts'
import { statements as search } from './0010-search.ts'
import { statements as templates } from './0012-templates.ts'
import { statements as recall } from './0015-recall.ts'
import { statements as limits } from './0013-limits.ts'
import { statements as savedCalls } from './0016-saved-calls.ts'
import { statements as alone } from './0017-alone.ts'
import { statements as blobRows } from './0018-blob-rows.ts'
import { statements as fencedHolds } from './0019-fenced-holds.ts'
import { statements as claimedIds } from './0020-claimed-ids.ts'
import { statements as lapsedDeliveries } from './0021-lapsed-deliveries.ts'
import { statements as blobMarker } from './0022-blob-marker.ts'
import { statements as ranks } from './0023-ranks.ts'
import { statements as unfinished } from './0024-unfinished.ts'
import { statements as maps } from './0025-maps.ts'
import { statements as compared } from './0026-compared.ts'
import { statements as termDigests } from './0027-term-digests.ts'
import { statements as receiverPauses } from './0028-receiver-pauses.ts'
import { statements as trackedUrls } from './0029-tracked-urls.ts'
import { statements as elsewhere } from './0030-elsewhere.ts'
import { statements as orphans } from './0031-orphans.ts'

/** One step of the schema. Released steps are never edited: a start refuses a database whose steps differ from these. */
export interface Migration {
  readonly number: number
  readonly name: string
  readonly statements: readonly Sql[]
}

/** All steps, oldest first. */
export const migrations: readonly Migration[] = [
  { number: 1, name: 'foundation', statements: foundation },
  { number: 2, name: 'lessons', statements: lessons },
  { number: 3, name: 'frames', statements: frames },
  { number: 4, name: 'artifacts', statements: artifacts },
  { number: 5, name: 'jobs', statements: jobs },
  { number: 6, name: 'profiles', statements: profiles },
  { number: 7, name: 'sessions', statements: sessions },
  { number: 8, name: 'teams', statements: teams },
  { number: 9, name: 'versions', statements: versions },
  { number: 10, name: 'search', statements: search },
  { number: 12, name: 'templates', statements: templates },
  { number: 13, name: 'limits', statements: limits },
  { number: 15, name: 'recall', statements: recall },
  { number: 16, name: 'saved-calls', statements: savedCalls },
  { number: 17, name: 'alone', statements: alone },
  { number: 18, name: 'blob-rows', statements: blobRows },
  { number: 19, name: 'fenced-holds', statements: fencedHolds },
  { number: 20, name: 'claimed-ids', statements: claimedIds },
  { number: 21, name: 'lapsed-deliveries', statements: lapsedDeliveries },
  { number: 22, name: 'blob-marker', statements: blobMarker },
  { number: 23, name: 'ranks', statements: ranks },
  { number: 24, name: 'unfinished', statements: unfinished },
  { number: 25, name: 'maps', statements: maps },
  { number: 26, name: 'compared', statements: compared },
  { number: 27, name: 'term-digests', statements: termDigests },
  { number: 28, name: 'receiver-pauses', statements: receiverPauses },
  { number: 29, name: 'tracked-urls', statements: trackedUrls },
  { number: 30, name: 'elsewhere', statements: elsewhere },
  { number: 31, name: 'orphans', statements: orphans },
]
