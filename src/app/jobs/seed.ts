import type { Call } from '../../domain/call.ts'
import type { Task } from '../../domain/ports.ts'
import { sitemapPages, sitemapRoots } from '../site/sitemaps.ts'
import { sorted } from './follow.ts'
import type { JobMemory, KnownJob } from './memory.ts'
import type { WorkPorts } from './ports.ts'

/** URLs sent to the store in one transaction. */
const chunk = 500

/** As many may wait as the store keeps for a limit. */
const enough = (limit: number): number => 2 * limit + 100

/** Reads sitemap after sitemap into the frontier; answers what there is to warn of. Repeating it adds nothing twice. */
async function readSitemaps(known: KnownJob, ports: WorkPorts, call: Call): Promise<readonly string[]> {
  const { job, told } = known
  const start = job.url ?? ''
  const { robots, unreachable } = await ports.robots.of(start, call)
  if (unreachable !== null) return []
  const pieces = sitemapPages(sitemapRoots(new URL(start).origin, robots.sitemaps), ports.site, call)
  let count = 0
  for (let piece = await pieces.next(); ; piece = await pieces.next()) {
    if (piece.done) return piece.value.troubled.length === 0 || robots.sitemaps.length === 0 ? [] : [`Of the sitemaps, ${piece.value.troubled.length} of ${piece.value.files} files could not be read to their end.`]
    for (let at = 0; at < piece.value.length; at += chunk) {
      const { pages, skipped, names } = sorted(piece.value.slice(at, at + chunk).map(({ url }) => url), null, known)
      if (names.size > 0 && !(await ports.jobs.append(job.id, pages, skipped, ports.now()))) return []
      told.add(names)
      count += pages.length
    }
    if (count > enough(job.limit)) return []
  }
}

/** Does the task that reads the sitemaps of a crawl; the crawl may end once it is done. Throws what another try may do better. */
export async function runSeed(task: Task, { memory, ...ports }: WorkPorts & { readonly memory: JobMemory }, call: Call): Promise<string> {
  const known = await memory.of(task.id)
  if (known === null) return ''
  const warnings = await readSitemaps(known, ports, call)
  await ports.jobs.seeded(task.id, warnings, ports.newId(), ports.now())
  return ''
}
