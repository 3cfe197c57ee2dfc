import type { SessionEnd } from '../../domain/sessions/sessions.ts'
import { holdAhead } from './holds.ts'
import type { Live, SessionPorts } from './ports.ts'

/** How late the store may learn of continued use. */
const noteEveryMs = 15_000

/** Why a live session must end now: its time, its idle time or the credits have run out; null if it may go on. Records its use. */
export async function dueEnd(live: Live, ports: Pick<SessionPorts, 'sessions' | 'ledger' | 'now'>): Promise<SessionEnd | null> {
  const { session, browser, interpreters } = live
  const { now } = ports
  const inUse = live.runs > 0 || browser.visitors > interpreters.lines
  if (inUse) live.lastUsedAt = now()
  if (now() >= (session.startedAt ?? 0) + session.ttlMs) return 'expired'
  if (now() >= live.lastUsedAt + session.idleMs) return 'idle'
  if (!(await holdAhead(live, ports))) return 'credits'
  if (live.lastUsedAt - live.notedAt >= (inUse ? noteEveryMs : 1)) {
    live.notedAt = live.lastUsedAt
    await ports.sessions.used(session.id, live.lastUsedAt, live.prompted)
  }
  return null
}
