import { isoTime } from '../../lib/time.ts'
import { forTerminal } from '../../lib/visible.ts'
import type { Config } from '../settings/config.ts'
import { withStore } from './keys.ts'
import { countIn } from './limits.ts'

/** Prints teams' feedback, newest first. Throws when the limit is not a number. */
export async function list({ limit }: { readonly limit: string }, config: Config): Promise<void> {
  const most = countIn(limit)
  const rows = await withStore(config, (store) => store.teams.feedback(most))
  console.log(['AT', 'TEAM', 'ENDPOINT', 'RATING', 'FEEDBACK'].join('\t'))
  for (const { at, team, endpoint, rating, body } of rows) console.log([isoTime(at), team, endpoint, rating, process.stdout.isTTY ? forTerminal(body) : body].join('\t'))
}
