import { creditsOfSession } from '../../domain/credits.ts'
import type { Live, SessionPorts } from './ports.ts'

/** Credits set aside for a session are so for as long as one may live, and a little longer: its end drops them. */
export const sessionLimit = 3_660_000
/** So long before what is set aside is used up, more is. */
const aheadMs = 3_000

type HoldPorts = Pick<SessionPorts, 'ledger' | 'now'>

/** Sets aside what the session will have cost in a moment; false when the credits of whoever pays do not cover that. */
export async function holdAhead(live: Live, { ledger, now }: HoldPorts, prompted = live.prompted): Promise<boolean> {
  const { session } = live
  const { id, startedAt, createdAt } = session
  const credits = creditsOfSession(now() - (startedAt ?? createdAt) + aheadMs, prompted)
  if (credits <= live.held) return true
  if (!(await ledger.hold(session, id, credits, now() + sessionLimit, now()))) return false
  live.held = credits
  return true
}
