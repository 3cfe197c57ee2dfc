import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Store } from '../../domain/store.ts'
import { defaultTeam } from '../../domain/teams/accounts.ts'
import type { TeamWork } from '../../domain/teams/removal.ts'
import { type Config, ConfigError } from '../settings/config.ts'
import { withStore } from './keys.ts'
import { missing } from './teams.ts'

/** Why a team should stay; null if nothing speaks against its end. */
async function reasonToStay(team: string, { accounts, removal }: Store, config: Config): Promise<string | null> {
  const under = inWords(await removal.work(team, Date.now()))
  if (under !== null) return `has ${under} under way`
  if (team === defaultTeam && config.TRAWL_AUTH === 'off') return 'is the team of every request while TRAWL_AUTH is off'
  return (await accounts.teams()).length === 1 ? 'is the only one' : null
}

/** What is under way, in words; null for nothing. */
function inWords({ jobs, sessions, requests, webhooks }: TeamWork): string | null {
  const counts = Object.entries({ job: jobs.length, session: sessions.length, request: requests, 'undelivered webhook': webhooks }).filter(([, count]) => count > 0)
  return counts.map(([what, count]) => `${count} ${what}${count === 1 ? '' : 's'}`).join(', ') || null
}

/** How long work that was stopped may take to end, and how often that is looked at. */
const endMs = 20_000
const lookMs = 250

/** Stops what the team has under way, and waits for its end. Throws when that takes too long. */
async function stopWork(team: string, { jobs, sessions, removal }: Store): Promise<void> {
  for (const until = Date.now() + endMs; ; await pause(lookMs)) {
    const work = await removal.work(team, Date.now())
    for (const job of work.jobs) await jobs.cancel(job, randomUUID(), Date.now())
    for (const id of work.sessions) await sessions.end(id, { end: 'deleted', at: Date.now(), keepMs: 0 })
    if (work.jobs.length + work.sessions.length + work.requests === 0) return
    if (Date.now() > until) throw new Error(`Team ${team} still has ${inWords(work) ?? 'work'} under way. Its keys are deleted, nothing else; give the command again later.`)
  }
}

/** Deletes a team with all it has. Throws when there is no such team, or when it should stay and `force` is not given. */
export async function remove(team: string, { force = false }: { readonly force?: boolean }, config: Config): Promise<void> {
  if (config.TRAWL_API_KEYS.some((seed) => seed.team === team)) throw new ConfigError(`TRAWL_API_KEYS has a key of team "${team}", which would come back at the next start: take it out there first.`)
  await withStore(config, async (store) => {
    if ((await store.accounts.team(team)) === null) throw missing(team)
    const reason = force ? null : await reasonToStay(team, store, config)
    if (reason !== null) throw new Error(`Team ${team} ${reason}; --force deletes it nevertheless.`)
    await store.removal.close(team)
    await stopWork(team, store)
    await store.removal.remove(team)
  })
  console.log(`Deleted team ${team}, with its keys, jobs, results, sessions, profiles and ledger.`)
}
