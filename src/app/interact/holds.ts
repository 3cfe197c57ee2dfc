import { creditsOfSession } from '../../domain/teams/credits.ts'
import type { Live, SessionPorts } from './ports.ts'

/** How long a hold outlasts the process that renews it, as the session costs more; the session's end drops it. */
export const sessionHoldMs = 3_660_000
/** More is set aside this long before a hold is used up. */
const aheadMs = 3_000

type HoldPorts = Pick<SessionPorts, 'ledger' | 'now'>

/** Sets aside what the session will shortly have cost; false if the payer's credits do not cover it. */
export async function holdAhead(live: Live, { ledger, now }: HoldPorts, prompted = live.prompted): Promise<boolean> {
  const { session } = live
  const { id, startedAt, createdAt } = session
  const credits = creditsOfSession(now() - (startedAt ?? createdAt) + aheadMs, prompted)
  if (credits <= live.held) return true
  if (!(await ledger.hold(session, id, credits, now() + sessionHoldMs, now()))) return false
  live.held = credits
  return true
}
