import { ServiceError } from '../../domain/errors.ts'
import type { Ledger } from '../../domain/ports.ts'
import type { ActivityMark, Teams } from '../../domain/teams.ts'
import { isoTime } from '../../lib/time.ts'
import { type ActivityAnswer, type ActivityQuery, type ConcurrencyAnswer, type CreditHistoryAnswer, type CreditUsageAnswer, type QueueStatusAnswer, unlimitedCredits } from '../../spec/team.ts'
import type { Admission } from '../admission.ts'

/** What a team is told about itself is taken from here. */
export interface TeamPorts {
  readonly teams: Teams
  readonly ledger: Pick<Ledger, 'balance' | 'months'>
  readonly admission: Pick<Admission, 'load'>
  /** Places of a team over the fleet. */
  readonly teamPlaces: number
  readonly now: () => number
}

/** Credits granted and left (contract §11.1); work that is under way has taken its share. */
export async function creditUsage({ ledger, now }: TeamPorts, team: string): Promise<CreditUsageAnswer> {
  const { granted, used, held } = await ledger.balance(team, now())
  const data = granted === null ? { remainingCredits: unlimitedCredits, planCredits: unlimitedCredits } : { remainingCredits: Math.max(0, granted - used - held), planCredits: granted }
  return { success: true, data: { ...data, billingPeriodStart: null, billingPeriodEnd: null } }
}

/** Credits used by calendar month. Throws `FEATURE_NOT_CONFIGURED` where they are asked for by key. */
export async function creditHistory({ byApiKey }: { readonly byApiKey?: string | undefined }, { ledger }: TeamPorts, team: string): Promise<CreditHistoryAnswer> {
  if (byApiKey === 'true') throw new ServiceError('FEATURE_NOT_CONFIGURED', 'Credits are counted by team, not by key: leave byApiKey out.', { details: { feature: 'byApiKey' } })
  const periods = (await ledger.months(team)).map(({ start, credits }) => ({ startDate: isoTime(start), endDate: isoTime(monthAfter(start)), creditsUsed: credits, totalCredits: credits }))
  return { success: true, periods }
}

function monthAfter(start: number): number {
  const date = new Date(start)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}

/** What is under way and waiting. Requests that wait in this process are in no store. */
async function load({ teams, admission, now }: TeamPorts, team: string): Promise<{ active: number; waiting: number; lastSuccess: number | null }> {
  const [stored, here] = [await teams.load(team, now()), admission.load(team)]
  return { active: Math.max(stored.active, here.running), waiting: stored.waiting + here.waiting, lastSuccess: stored.lastSuccess }
}

/** Pages of the team that are under way and that wait (contract §11.1). */
export async function queueStatus(ports: TeamPorts, team: string): Promise<QueueStatusAnswer> {
  const { active, waiting, lastSuccess } = await load(ports, team)
  return { success: true, jobsInQueue: active + waiting, activeJobsInQueue: active, waitingJobsInQueue: waiting, maxConcurrency: ports.teamPlaces, mostRecentSuccess: lastSuccess === null ? null : isoTime(lastSuccess) }
}

/** How many of its places a team uses. */
export async function concurrency(ports: TeamPorts, team: string): Promise<ConcurrencyAnswer> {
  return { success: true, concurrency: (await load(ports, team)).active, maxConcurrency: ports.teamPlaces }
}

const dayMs = 86_400_000

const markOf = (cursor: string | undefined): ActivityMark | undefined => {
  if (cursor === undefined) return undefined
  const [at = '', id = ''] = cursor.split('.', 2)
  return { at: Number(at), id }
}

/** What the team asked for within a day, newest first. */
export async function activity({ endpoint, limit, cursor }: ActivityQuery, { teams, now }: TeamPorts, team: string): Promise<ActivityAnswer> {
  const found = await teams.activity(team, { since: now() - dayMs, endpoint, after: markOf(cursor), limit: limit + 1 })
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  const more = found.length > limit && last !== undefined
  const data = shown.map((one) => ({ id: one.id, endpoint: one.endpoint, api_version: 'v2' as const, created_at: isoTime(one.at), target: one.target }))
  return { success: true, data, cursor: more ? `${last.at}.${last.id}` : null, has_more: more }
}
