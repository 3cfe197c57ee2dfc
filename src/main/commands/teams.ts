import { text as textOf } from 'node:stream/consumers'
import { assertTeamId } from '../../app/accounts.ts'
import { type FeatureGate, featureGates } from '../../domain/teams/feature-gates.ts'
import type { TeamTerms } from '../../domain/teams/accounts.ts'
import type { Store } from '../../domain/store.ts'
import { isoTime } from '../../lib/time.ts'
import type { Config } from '../settings/config.ts'
import { withNewStore, withStore } from './keys.ts'
import { budgetIn, creditsIn, ratesIn } from './limits.ts'
import { assertSecret } from '../parts/webhooks.ts'

/** Options for a team on the command line; missing ones stay unchanged. */
export interface TeamOptions {
  readonly budget?: string
  readonly rateLimits?: string
  readonly gates?: string
  readonly webhookSecret?: string
}

/** The names of the gates on the command line. */
const gateWords: Readonly<Record<FeatureGate, string>> = { zeroRetention: 'zdr', ignoreRobots: 'ignore-robots', enterpriseSearch: 'enterprise-search' }

function gatesIn(text: string): readonly FeatureGate[] {
  const words = text === 'off' ? [] : text.split(',').map((word) => word.trim())
  const unknown = words.find((word) => !Object.values(gateWords).includes(word))
  if (unknown !== undefined) throw new Error(`There is no gate "${unknown}": there are ${Object.values(gateWords).join(', ')}, and off.`)
  return featureGates.filter((name) => words.includes(gateWords[name]))
}

/** Reads a secret; `-` is standard input, because others can see the command line. */
async function secretIn(text: string, config: Config): Promise<string | null> {
  if (text === 'off') return null
  const secret = text === '-' ? (await textOf(process.stdin)).trim() : text
  if (secret === '') throw new Error('The webhook secret is empty.')
  assertSecret(secret, config, 'The webhook secret')
  return secret
}

async function termsIn({ budget, rateLimits, gates, webhookSecret }: TeamOptions, config: Config): Promise<Partial<TeamTerms>> {
  return {
    ...(budget === undefined ? {} : { budget: budgetIn(budget) }),
    ...(rateLimits === undefined ? {} : { rates: ratesIn(rateLimits) }),
    ...(gates === undefined ? {} : { gates: gatesIn(gates) }),
    ...(webhookSecret === undefined ? {} : { webhookSecret: await secretIn(webhookSecret, config) }),
  }
}

/** The error for a team that is not there. */
export const missing = (team: string): Error => new Error(`There is no team "${team}"; "trawl teams list" shows them.`)

/** Creates a team. Throws when the name is taken. */
export async function create(team: string, options: TeamOptions, config: Config): Promise<void> {
  assertTeamId(team)
  const terms = await termsIn(options, config)
  await withNewStore(config, async ({ accounts }) => {
    if ((await accounts.team(team)) !== null) throw new Error(`There is a team "${team}" already.`)
    await accounts.ensureTeam(team, config.TRAWL_CREDITS, Date.now())
    await accounts.setTeam(team, terms)
  })
  console.log(`Made team ${team}; "trawl keys create ${team}" makes a key for it.`)
}

/** Changes the settings of a team. Throws when there is no such team, or nothing to change. */
export async function set(team: string, options: TeamOptions, config: Config): Promise<void> {
  const terms = await termsIn(options, config)
  if (Object.keys(terms).length === 0) throw new Error('Say what to set: --budget, --rate-limits, --gates or --webhook-secret.')
  if (!(await withStore(config, ({ accounts }) => accounts.setTeam(team, terms)))) throw missing(team)
  console.log(`Set for team ${team}; a running service knows within five seconds.`)
}

const line = (...cells: readonly (string | number | null)[]): void => console.log(cells.map((cell) => cell ?? '-').join('\t'))

/** Prints every team and its settings, except secrets. */
export async function list(config: Config): Promise<void> {
  const { teams, terms } = await withStore(config, async ({ accounts }) => ({ teams: await accounts.teams(), terms: new Map((await accounts.terms()).map((one) => [one.team, one])) }))
  line('TEAM', 'CREATED', 'CREDITS', 'BUDGET', 'RATE LIMITS', 'GATES', 'WEBHOOK SECRET')
  for (const { id, createdAt, creditsGranted } of teams) {
    const own = terms.get(id)
    line(id, isoTime(createdAt), creditsGranted, own?.budget ?? null, own?.rates ?? null, own?.gates.map((name) => gateWords[name]).join(',') || null, own?.webhookSecret ? 'set' : null)
  }
}

/** Grants credits to a team, on top of those it has, or removes its limit. Throws when there is no such team. */
export async function grant(team: string, credits: string, config: Config): Promise<void> {
  const given = credits === 'unlimited' ? null : creditsIn(credits)
  const now = Date.now()
  const found = await withStore(config, async ({ accounts, ledger }) => ((await accounts.grant(team, given)) ? { balance: await ledger.balance(team, now), limit: await ledger.allowance({ team }, now) } : null))
  if (found === null) throw missing(team)
  const { balance: { granted, used, held }, limit } = found
  const left = granted === null ? 'Unlimited' : String(granted - used - held)
  console.log(`${left} credits are left to team ${team}${limit === null || limit.month === null ? '' : `; its budget leaves it ${limit.left} this month`}.`)
}

/** What a team may still use, by its credits and its budget. */
async function leftOf(team: string, ledger: Store['ledger']): Promise<string> {
  const limit = await ledger.allowance({ team }, Date.now())
  return limit === null ? 'Unlimited' : String(limit.left)
}

/** Prints the credits granted to a team or all teams, and those used by month and key. */
export async function credits(team: string | undefined, config: Config): Promise<void> {
  const all = await withStore(config, async ({ accounts, ledger }) => {
    const teams = (await accounts.teams()).filter(({ id }) => team === undefined || id === team)
    return Promise.all(teams.map(async ({ id, creditsGranted }) => ({ id, creditsGranted, left: await leftOf(id, ledger), months: await ledger.months(id) })))
  })
  if (team !== undefined && all.length === 0) throw missing(team)
  line('TEAM', 'GRANTED', 'LEFT', 'MONTH', 'KEY', 'CREDITS', 'TOKENS')
  for (const { id, creditsGranted, left, months } of all) {
    if (months.length === 0) line(id, creditsGranted, left, null, null, 0, 0)
    for (const { start, key, credits: used, tokens } of months) line(id, creditsGranted, left, isoTime(start).slice(0, 7), key === null ? null : `${key.name} (${key.id})`, used, tokens)
  }
}
