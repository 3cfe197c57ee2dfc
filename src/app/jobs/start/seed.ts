import type { Call } from '../../../domain/call.ts'
import { maxWaiting } from '../../../domain/crawl/discovery.ts'
import type { Task } from '../../../domain/queue.ts'
import { withRoom } from '../../body-room.ts'
import { byWay } from '../../site/ports.ts'
import { type SitemapReport, sitemapWarnings } from '../../site/sitemap-report.ts'
import { sitemapNames, sitemapRoots } from '../../site/sitemaps.ts'
import { asksRobots } from '../pages/bounds.ts'
import { lateFrom, sorted } from '../pages/follow.ts'
import type { JobMemory, KnownJob } from '../pages/memory.ts'
import type { WorkPorts } from '../ports.ts'

/** URLs sent to the store in one transaction. */
const chunk = 500

/** Warnings for the caller: sitemaps that could not be read, and sitemaps that name no page although the request relies on them. */
function warningsOf(report: SitemapReport, { named, needed, count }: { readonly named: boolean; readonly needed: boolean; readonly count: number }): readonly string[] {
  const unread = sitemapWarnings(report, named)
  if (!needed || count > 0) return unread
  return [...unread, unread.length === 0 ? 'No sitemap of the site names a page of this crawl.' : 'No sitemap that could be read names a page of this crawl.']
}

/** Reads one sitemap after the other into the frontier; returns the warnings. Idempotent. */
async function readSitemaps(known: KnownJob, ports: WorkPorts, call: Call): Promise<readonly string[]> {
  const { job, told } = known
  const start = job.start ?? job.url ?? ''
  const wayTo = known.crawl?.wayTo ?? (() => ({}))
  const rules = await ports.robots.of(start, call, { way: wayTo(start) })
  const { robots } = rules
  const roots = sitemapRoots(new URL(start).origin, rules, (url) => known.crawl?.allows(robots, url) ?? true)
  const allows = async (url: string): Promise<boolean> => {
    if (known.crawl === null || !asksRobots(known.crawl)) return true
    const there = await ports.robots.of(url, call, { way: wayTo(url) })
    return there.unreachable === null && known.crawl.allows(there.robots, url)
  }
  const pieces = sitemapNames({ ...roots, newestFirst: true, allows }, byWay(ports.site, wayTo), call)
  let count = 0
  try {
    for (let piece = await pieces.next(); ; piece = await pieces.next()) {
      if (piece.done) return warningsOf(piece.value, { named: robots.sitemaps.length > 0, needed: known.crawl?.request.sitemap === 'only', count })
      for (let at = 0, done = 0; at < piece.value.length; at += done) {
        const { pages, skipped, names, count: looked } = sorted(piece.value.slice(at, at + chunk).map(({ url }) => url), null, { ...known, isLate: lateFrom(ports.now) })
        done = looked
        if (names.size > 0 && !(await ports.jobs.append(job.id, pages, skipped, ports.now()))) return []
        told.add(names)
        count += pages.length
        await ports.site.breathe()
      }
      if (count > maxWaiting(job.limit)) return []
    }
  } finally {
    // Abandons sitemaps that are still being fetched.
    await pieces.return({ files: 0, troubled: 0, missing: 0, limits: [] })
  }
}

/** What reading sitemaps needs. */
export interface SeedPorts extends WorkPorts {
  readonly memory: JobMemory
  /** Makes the call for which the sitemaps are read. */
  readonly callFor: (retention: Call['retention']) => Call & { end(): void }
}

/** Runs the task that reads a crawl's sitemaps; the crawl can end once it is done. Throws what a retry may fix. */
export async function runSeed(task: Task, { memory, callFor, ...ports }: SeedPorts): Promise<string> {
  const known = await memory.of(task.id)
  if (known === null || known.job.state !== 'scraping') return ''
  const call = callFor(known.job.retention)
  const warnings = await withRoom(ports.bodies, call, (roomed) => readSitemaps(known, ports, roomed)).finally(call.end)
  await ports.jobs.seeded(task.id, warnings, ports.newId(), ports.now())
  return ''
}
