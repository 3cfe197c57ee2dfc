import { isoTime } from '../../lib/time.ts'
import { forTerminal } from '../../lib/visible.ts'
import type { Config } from '../settings/config.ts'
import { withStore } from './keys.ts'

/** Prints teams' feedback, newest first. Throws when the limit is not a number. */
export async function list({ limit }: { readonly limit: string }, config: Config): Promise<void> {
  if (!/^[1-9]\d{0,5}$/.test(limit)) throw new Error('--limit must be a number from 1 to 999999.')
  const rows = await withStore(config, (store) => store.teams.feedback(Number(limit)))
  console.log(['AT', 'TEAM', 'ENDPOINT', 'RATING', 'FEEDBACK'].join('\t'))
  for (const { at, team, endpoint, rating, body } of rows) console.log([isoTime(at), team, endpoint, rating, process.stdout.isTTY ? forTerminal(body) : body].join('\t'))
}
