import type { NewJob } from '../../../domain/jobs/job.ts'
import type { Jobs } from '../../../domain/jobs/jobs.ts'
import { repeatMs } from '../../../domain/teams/repeats.ts'
import type { StartPorts } from '../ports.ts'

type First = Parameters<Jobs['create']>[1]
type BeginPorts = Pick<StartPorts, 'jobs' | 'newId' | 'now'>

/** Whether this very request has started the job already, and only its answer was lost. */
export async function hasBegun({ id, team, kind }: Pick<NewJob, 'id' | 'team' | 'kind'>, { jobs, now }: BeginPorts): Promise<boolean> {
  const job = await jobs.find(id)
  return job?.team === team && job.kind === kind && job.createdAt > now() - repeatMs
}

/** Starts a job and returns its id. If the same request started it before, that job goes on; if the id belongs to an older job, the new one gets another. */
export async function begin(job: NewJob, firstOf: (id: string) => First, ports: BeginPorts): Promise<string> {
  if ((await ports.jobs.create(job, firstOf(job.id))) || (await hasBegun(job, ports))) return job.id
  const id = ports.newId()
  await ports.jobs.create({ ...job, id }, firstOf(id))
  return id
}
