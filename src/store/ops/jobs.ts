import { creation } from './jobs-create.ts'
import { ends } from './jobs-end.ts'
import { leases } from './jobs-leases.ts'
import { readings } from './jobs-reads.ts'
import { settlePage } from './jobs-settle.ts'
import { takePages, takePassed } from './jobs-take.ts'
import { watchJobs } from './jobs-watch.ts'

/** Batches and crawls. */
export const jobs = { ...creation, ...leases, ...ends, ...readings, take: takePages, takePassed, settle: settlePage, watch: watchJobs }
