import { randomUUID } from 'node:crypto'
import type { TakeTerms } from '../../../domain/jobs/jobs.ts'
import { maxRank, viewRank } from '../../../domain/crawl/variants.ts'
import type { PageTask } from '../../../domain/jobs/pages.ts'
import { anyOf, byIndex, impatiently } from '../../dialect.ts'
import { type Op, all, exclusively, first, run } from '../../op.ts'
import { type Sql, sql } from '../../sql.ts'
import { type JobRow, lockFreeJob, lockJob, saveJob } from './row.ts'

/** Jobs served in one turn; the others come first in the next. */
const maxJobs = 16

const anyRank = Number.MAX_SAFE_INTEGER

/** Waiting pages examined in order; beyond them the search goes host by host. */
const windowPages = 500

/** A job with pages to lease, before its row is locked. */
interface Candidate {
  readonly id: string
  readonly team: string
  readonly waiting: number
  readonly places: number
  readonly served: number
}

/** A job's share of a turn. */
export interface Turn {
  readonly id: string
  readonly team: string
  /** Pages that it may lease. */
  readonly share: number
  /** Number of the turn. */
  readonly served: number
}

/** The leased pages, and jobs skipped because another transaction holds their row. */
export interface Taken {
  readonly tasks: readonly PageTask[]
  readonly passed: readonly Turn[]
}

/**
 * Leases pages of jobs other than `except`. Jobs take turns, the one served longest ago first. Planning the turns locks nothing. Then teams
 * are locked in order of their names, and each job gets what its limits, read again under the lock, still allow. Under a team's lock no row of
 * a job is waited for: its holder would hold up the team's requests and all other takers.
 */
export function* takePages(terms: TakeTerms, except: readonly string[], now: number): Op<Taken> {
  const tasks: PageTask[] = []
  const passed: Turn[] = []
  if (!(yield* isServed(terms, now))) return { tasks, passed }
  let team: { readonly name: string; places: number } | undefined
  for (const turn of yield* planTurns(terms, except, now)) {
    if (team?.name !== turn.team) team = { name: turn.team, places: yield* lockPlaces(turn.team, terms, now) }
    const job = yield* lockFreeJob(turn.id)
    if (!job) {
      passed.push(turn)
      continue
    }
    const pages = yield* leasePages(job, { terms, count: Math.min(turn.share, team.places, placesIn(job, now)), served: turn.served, now })
    team.places -= pages.length
    tasks.push(...pages)
  }
  return { tasks, passed }
}

/**
 * Leases pages of one skipped job, after a short wait for its row; null if the row stayed locked. The row is locked before
 * the team: nobody who holds a team's lock waits for a row.
 */
export function* takePassed({ id, team, share, served }: Turn, terms: TakeTerms, now: number): Op<readonly PageTask[] | null> {
  if (!(yield* isServed(terms, now))) return []
  yield* run(sql`${impatiently}`)
  const job = yield* lockJob(id)
  if (!job) return []
  const places = yield* lockPlaces(team, terms, now)
  return yield* leasePages(job, { terms, count: Math.min(share, terms.limit, places, placesIn(job, now)), served: Math.max(served, job.served), now })
}

/** Whether a living worker wants pages. */
function* isServed({ limit, worker }: TakeTerms, now: number): Op<boolean> {
  return limit > 0 && (yield* first(sql`select id from workers where id = ${worker} and until > ${now}`)) !== null
}

/** Places that the team's pages may still take; nobody else gives them out until the transaction ends. */
function* lockPlaces(team: string, terms: TakeTerms, now: number): Op<number> {
  yield* exclusively(`slots of ${team}`)
  return placesOf(terms, team, yield* inUse(team, now))
}

/**
 * Shares the pages out among the jobs, one at a time in turn; returns the shares in the order in which teams are locked.
 */
function* planTurns(terms: TakeTerms, except: readonly string[], now: number): Op<readonly Turn[]> {
  const candidates = yield* all<Candidate>(sql`select id, team, served, waiting, case when delay_ms > 0 then 1 else
      ${least(sql`waiting`, least(sql`max_concurrency - leased`, sql`page_limit - done - leased`))} end as places
    from jobs where open = 1 and state = 'scraping' and waiting > 0 and next_at <= ${now} and leased < max_concurrency and done + leased < page_limit
      and (delay_ms = 0 or leased = 0)
    order by served, created_at, id`)
  if (candidates.length === 0) return []
  const teams = new Map<string, number>()
  const under = new Map<string, number>()
  for (const { team, ...use } of yield* usage(now)) {
    teams.set(team, placesOf(terms, team, use))
    under.set(team, use.leased)
  }
  const free = (team: string): number => teams.get(team) ?? placesOf(terms, team, { leased: 0, slots: 0 })
  const open = byTeams(candidates.filter(({ id, team }) => free(team) > 0 && !except.includes(id)), under)
  const turns = open.length === 1 ? open.map((job) => ({ ...job, share: 0 })) : yield* ready(open, terms, now)
  for (let left = terms.limit, dealt = true; left > 0 && dealt; ) {
    dealt = false
    for (const job of turns) {
      if (left === 0 || job.share >= job.places || free(job.team) <= 0) continue
      job.share += 1
      left -= 1
      dealt = true
      teams.set(job.team, free(job.team) - 1)
    }
  }
  const served = 1 + Math.max(...candidates.map((job) => job.served))
  const order = ({ team, id }: Candidate): string => `${team}\n${id}`
  return turns.filter((job) => job.share > 0).sort((a, b) => (order(a) < order(b) ? -1 : 1)).map(({ id, team, share }) => ({ id, team, share, served }))
}

/** The jobs whose turn it is, each with as many places as it has pages that may be fetched now, so that a job without any does not use up the turn. */
function* ready(open: readonly Candidate[], terms: TakeTerms, now: number): Op<(Candidate & { share: number })[]> {
  const turns: (Candidate & { share: number })[] = []
  const most = Math.min(maxJobs, terms.limit)
  // There may be thousands that wait for one host: they are examined in a few statements, of which the first usually does.
  for (let from = 0, size = maxJobs; from < open.length && turns.length < most; from += size, size *= 4) {
    const jobs = open.slice(from, from + size)
    const due = new Map((yield* all<{ id: string; pages: number }>(dueOf(jobs, terms, now))).map(({ id, pages }) => [id, pages]))
    for (const job of jobs) {
      if (turns.length === most) break
      const asked = { terms, count: Math.min(job.places, terms.limit), now }
      const found = due.get(job.id) ?? 0
      const more = found < asked.count && job.waiting > windowPages ? yield* all(firstOfHosts(job, asked, anyRank)) : []
      const places = Math.min(asked.count, Math.max(found, more.length))
      if (places > 0) turns.push({ ...job, places, share: 0 })
    }
  }
  return turns
}

/** How many pages of each job may be fetched, as `inOrder` finds them. */
function dueOf(jobs: readonly Candidate[], { busyHosts, crowdedHosts, limit }: TakeTerms, now: number): Sql {
  const crowds = [...crowdedHosts].filter(([team, hosts]) => hosts.length > 0 && jobs.some((job) => job.team === team))
  const free = [...(busyHosts.length === 0 ? [] : [sql`and host not in ${anyOf(busyHosts)}`]), ...crowds.map(([team, hosts]) => sql`and not (jobs.team = ${team} and host in ${anyOf(hosts)})`)]
  const allowed: Sql = { texts: ['', ...free.map(() => ' ')], parts: free }
  return sql`select id, (select count(*) from (
      select seq from (select seq, host, run_at from job_pages ${byIndex('job_pages_waiting')} where job = jobs.id and state = 'waiting' order by rank, seq limit ${windowPages}) as waiting
      where run_at <= ${now} ${allowed} limit ${limit}) as due) as pages
    from jobs where id in ${anyOf(jobs.map(({ id }) => id))}`
}

/** Lets teams take turns, those with the fewest pages under way first: however many jobs one has, the others do not wait for all of them. */
function byTeams(jobs: readonly Candidate[], under: ReadonlyMap<string, number>): readonly Candidate[] {
  const dealt = new Map(under)
  const turns = jobs.map((job) => {
    const turn = dealt.get(job.team) ?? 0
    dealt.set(job.team, turn + 1)
    return { job, turn }
  })
  return turns.sort((a, b) => a.turn - b.turn).map(({ job }) => job)
}

const least = (a: Sql, b: Sql): Sql => sql`case when ${a} < ${b} then ${a} else ${b} end`

interface TeamUse {
  readonly leased: number
  readonly slots: number
}

function* usage(now: number): Op<readonly (TeamUse & { readonly team: string })[]> {
  return yield* all(sql`select team, sum(leased) as leased, sum(slots) as slots from (
      select team, leased, 0 as slots from jobs where open = 1
      union all select team, 0, 1 from slots where until > ${now}) as uses group by team`)
}

function* inUse(team: string, now: number): Op<TeamUse> {
  const row = yield* first<TeamUse>(sql`select coalesce((select sum(leased) from jobs where open = 1 and team = ${team}), 0) as leased,
    (select count(*) from slots where team = ${team} and until > ${now}) as slots`)
  return row ?? { leased: 0, slots: 0 }
}

/**
 * Places that the team's pages may still take. A tenth of the team's places is never theirs, so that a client's request finds one at once; and
 * while requests wait (`slots`), the next free place is left to them.
 */
function placesOf(terms: TakeTerms, team: string, { leased, slots }: TeamUse): number {
  const requests = slots + (Object.hasOwn(terms.running, team) ? (terms.running[team] ?? 0) : 0)
  return Math.min(Math.max(1, Math.floor(terms.teamPlaces * 0.9)), terms.teamPlaces - requests) - leased
}

function placesIn(job: JobRow, now: number): number {
  if (job.state !== 'scraping' || job.nextAt > now) return 0
  const atOnce = job.delayMs > 0 ? 1 : job.maxConcurrency
  return Math.min(job.waiting, atOnce - job.leased, job.limit - job.done - job.leased)
}

interface Asked {
  readonly terms: TakeTerms
  readonly count: number
  readonly now: number
}

function* leasePages(job: JobRow, asked: Asked & { readonly served: number }): Op<readonly PageTask[]> {
  if (asked.count <= 0) return []
  const pages = [...(yield* leaseUpTo(job, asked, isFarOn(job) ? viewRank - 1 : anyRank))]
  if (pages.length === 0 && isFarOn(job)) pages.push(...(yield* leaseUpTo(job, asked, yield* highestRank(job, asked))))
  job.served = asked.served
  job.leased += pages.length
  job.waiting -= pages.length
  yield* saveJob(job)
  return pages.sort((a, b) => a.rank - b.rank || a.seq - b.seq).map(({ rank: _rank, ...task }) => task)
}

/** Whether a crawl knows of a quarter of the pages that its limit allows. */
const isFarOn = (job: JobRow): boolean => job.kind === 'crawl' && 4 * (job.done + job.leased + job.waiting) >= job.limit

function* leaseUpTo(job: JobRow, asked: Asked, most: number): Op<readonly Leased[]> {
  const pages = yield* lease(job, asked.terms, inOrder(job, asked, most))
  const count = asked.count - pages.length
  if (count === 0 || job.waiting <= windowPages) return pages
  return [...pages, ...(yield* lease(job, asked.terms, firstOfHosts(job, { ...asked, count }, most)))]
}

/**
 * The highest rank that a locked job may lease when it is far on and no likely page waits: views of pages wait for all likelier
 * pages that are under way, since these may lead to more of their kind. Otherwise a crawl would spend its limit on views
 * whenever it has nothing else to do for a moment. Not where the depth is limited: it comes first there.
 */
function* highestRank(job: JobRow, { terms, now }: Asked): Op<number> {
  const next = yield* first<{ rank: number }>(sql`select rank from job_pages where job = ${job.id} and seq in (${inOrder(job, { terms, count: 1, now }, anyRank)})`)
  // Above are the ranks of limited depth.
  if (next === null || next.rank > maxRank) return anyRank
  const leased = yield* first<{ rank: number | null }>(sql`select min(rank) as rank from job_pages where state = 'leased' and job = ${job.id}`)
  return Math.min(leased?.rank ?? next.rank, next.rank)
}

type Whose = Pick<JobRow, 'id' | 'team'>

/** Pages that may be fetched, up to a rank, by rank, then by discovery. */
function inOrder(job: Whose, { terms, count, now }: Asked, most: number): Sql {
  return sql`select seq from (select rank, seq, host, run_at from job_pages ${byIndex('job_pages_waiting')} where job = ${job.id} and state = 'waiting' and rank <= ${most} order by rank, seq limit ${windowPages}) as waiting
    where run_at <= ${now} ${allowed(terms, job)} order by rank, seq limit ${count}`
}

/** The first page of each host that may be asked, found by skipping from host to host: pages of busy hosts are not read, however many. */
function firstOfHosts(job: Whose, { terms, count, now }: Asked, most: number): Sql {
  const pages = sql`job_pages ${byIndex('job_pages_waiting_by_host')}`
  const waiting = sql`job = ${job.id} and state = 'waiting'`
  return sql`with recursive hosts (host) as (
      select (select min(host) from ${pages} where ${waiting})
      union all select (select min(host) from ${pages} where ${waiting} and host > hosts.host) from hosts where hosts.host is not null)
    select seq from (select (select seq from ${pages} where ${waiting} and host = hosts.host and rank <= ${most} and run_at <= ${now} order by rank, seq limit 1) as seq
      from hosts where host is not null ${allowed(terms, job)}) as firsts where seq is not null limit ${count}`
}

function allowed({ busyHosts, crowdedHosts }: TakeTerms, { team }: Whose): Sql {
  const hosts = [...busyHosts, ...(crowdedHosts.get(team) ?? [])]
  return hosts.length === 0 ? sql`` : sql`and host not in ${anyOf(hosts)}`
}

type Leased = PageTask & { readonly rank: number }

function* lease(job: JobRow, terms: TakeTerms, which: Sql): Op<readonly Leased[]> {
  const rows = yield* all<Omit<Leased, 'job' | 'team' | 'external' | 'recalled'> & { readonly external: number; readonly recalled: number }>(sql`update job_pages
    set state = 'leased', attempt = attempt + 1, worker = ${terms.worker}, token = ${randomUUID()}
    where job = ${job.id} and seq in (${which})
    returning seq, url, key, host, depth, external, recalled, rank, token, attempt, postponed`)
  return rows.map(({ recalled, ...row }) => ({ ...row, ...(recalled === 1 ? { recalled: true as const } : {}), job: job.id, team: job.team, external: row.external === 1 })) // `const`: of its type
}
