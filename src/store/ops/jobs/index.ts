import { creation } from './create.ts'
import { ends } from './end.ts'
import { leases } from './leases.ts'
import { readings } from './reads.ts'
import { settlePage } from './settle.ts'
import { takePages, takePassed } from './take.ts'
import { watchJobs } from './watch.ts'

/** Batches and crawls. */
export const jobs = { ...creation, ...leases, ...ends, ...readings, take: takePages, takePassed, settle: settlePage, watch: watchJobs }
