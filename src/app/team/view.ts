import type { Jobs } from '../../domain/jobs/jobs.ts'
import type { Ledger, Payer, UsedMonth } from '../../domain/teams/ledger.ts'
import type { ActivityMark, Teams } from '../../domain/teams/teams.ts'
import { isoTime } from '../../lib/time.ts'
import { type ActivityAnswer, type ActivityQuery, type ConcurrencyAnswer, type CreditHistoryAnswer, type CreditUsageAnswer, type HistoryQuery, type QueueStatusAnswer, type TokenHistoryAnswer, type TokenUsageAnswer, unlimited } from '../../spec/team.ts'
import type { Admission } from '../admission.ts'

/** What a team is told about itself is taken from here. */
export interface TeamPorts {
  readonly teams: Teams
  readonly ledger: Pick<Ledger, 'allowance' | 'find' | 'months'>
  readonly jobs: Pick<Jobs, 'load'>
  readonly admission: Pick<Admission, 'load'>
  /** Places that a team may use across the fleet. */
  readonly teamPlaces: number
  readonly now: () => number
}

/** Credits planned and left, by the tightest limit (contract §11.1); work under way is already deducted. */
export async function creditUsage({ ledger, now }: TeamPorts, payer: Payer): Promise<CreditUsageAnswer> {
  const limit = await ledger.allowance(payer, now())
  const month = limit?.month ?? null
  const period = { billingPeriodStart: month === null ? null : isoTime(month), billingPeriodEnd: month === null ? null : isoTime(monthAfter(month)) }
  return { success: true, data: { remainingCredits: limit === null ? unlimited : Math.max(0, limit.left), planCredits: limit?.plan ?? unlimited, ...period } }
}

/** Tokens of language models are counted, not limited. */
export function tokenUsage(): TokenUsageAnswer {
  return { success: true, data: { remainingTokens: unlimited, planTokens: unlimited, billingPeriodStart: null, billingPeriodEnd: null } }
}

interface Period {
  readonly startDate: string
  readonly endDate: string
  readonly apiKey?: string
  readonly apiKeyId?: string
  readonly used: number
}

/** Use by calendar month, newest first, and by key on request. Months without use are left out. */
function periods(months: readonly UsedMonth[], { byApiKey }: HistoryQuery, used: (month: UsedMonth) => number): readonly Period[] {
  const found = months.filter((month) => used(month) > 0)
  const term = (start: number): Pick<Period, 'startDate' | 'endDate'> => ({ startDate: isoTime(start), endDate: isoTime(monthAfter(start)) })
  if (byApiKey === 'true') return found.map((month) => ({ ...term(month.start), ...(month.key === null ? {} : { apiKey: month.key.name, apiKeyId: month.key.id }), used: used(month) }))
  const sums = new Map<number, number>()
  for (const month of found) sums.set(month.start, (sums.get(month.start) ?? 0) + used(month))
  return [...sums].map(([start, sum]) => ({ ...term(start), used: sum }))
}

/** Credits used by calendar month. */
export async function creditHistory(query: HistoryQuery, { ledger }: TeamPorts, team: string): Promise<CreditHistoryAnswer> {
  const all = periods(await ledger.months(team), query, ({ credits }) => credits)
  return { success: true, periods: all.map(({ used, ...period }) => ({ ...period, creditsUsed: used, totalCredits: used })) }
}

/** Tokens of language models used by calendar month. */
export async function tokenHistory(query: HistoryQuery, { ledger }: TeamPorts, team: string): Promise<TokenHistoryAnswer> {
  const all = periods(await ledger.months(team), query, ({ tokens }) => tokens)
  return { success: true, periods: all.map(({ used, ...period }) => ({ ...period, tokensUsed: used, totalTokens: used })) }
}

function monthAfter(start: number): number {
  const date = new Date(start)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}

/** Running and waiting work: pages of jobs, and requests. The store knows requests of a fleet, not all of those that wait, and none of a single process. */
async function load({ teams, jobs, admission, now }: TeamPorts, team: string): Promise<{ active: number; waiting: number; lastSuccess: number | null }> {
  const [stored, pages, here] = [await teams.load(team, now()), await jobs.load(team), admission.load(team)]
  const active = pages.running + Math.max(stored.active - pages.running, here.running)
  const waiting = pages.waiting + Math.max(stored.waiting - pages.waiting, here.waiting)
  return { active, waiting, lastSuccess: stored.lastSuccess }
}

/** The team's pages that run and that wait (contract §11.1). */
export async function queueStatus(ports: TeamPorts, team: string): Promise<QueueStatusAnswer> {
  const { active, waiting, lastSuccess } = await load(ports, team)
  return { success: true, jobsInQueue: active + waiting, activeJobsInQueue: active, waitingJobsInQueue: waiting, maxConcurrency: ports.teamPlaces, mostRecentSuccess: lastSuccess === null ? null : isoTime(lastSuccess) }
}

/** How many of its places the team uses. */
export async function concurrency(ports: TeamPorts, team: string): Promise<ConcurrencyAnswer> {
  return { success: true, concurrency: (await load(ports, team)).active, maxConcurrency: ports.teamPlaces }
}

const dayMs = 86_400_000

const markOf = (cursor: string | undefined): ActivityMark | undefined => {
  if (cursor === undefined) return undefined
  const [at = '', id = ''] = cursor.split('.', 2)
  return { at: Number(at), id }
}

/** The team's requests of the last day, newest first. */
export async function activity({ endpoint, limit, cursor }: ActivityQuery, { teams, now }: TeamPorts, team: string): Promise<ActivityAnswer> {
  const found = await teams.activity(team, { since: now() - dayMs, endpoint, after: markOf(cursor), limit: limit + 1 })
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  const more = found.length > limit && last !== undefined
  const data = shown.map((one) => ({ id: one.id, endpoint: one.endpoint, api_version: 'v2' as const, created_at: isoTime(one.at), target: one.target }))
  return { success: true, data, cursor: more ? `${last.at}.${last.id}` : null, has_more: more }
}
