import { creation } from './jobs-create.ts'
import { ends } from './jobs-end.ts'
import { leases } from './jobs-leases.ts'
import { readings } from './jobs-reads.ts'
import { settlePage } from './jobs-settle.ts'
import { takePages } from './jobs-take.ts'
import { watchJobs } from './jobs-watch.ts'

/** Batches and crawls. */
export const jobs = { ...creation, ...leases, ...ends, ...readings, take: takePages, settle: settlePage, watch: watchJobs }
