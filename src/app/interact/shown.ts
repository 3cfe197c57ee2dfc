import { liveUrls } from '../../domain/sessions/live-browser.ts'
import type { Session } from '../../domain/sessions/sessions.ts'
import { isoTime } from '../../lib/time.ts'
import type { BrowserSession, BrowserStatus } from '../../spec/browser.ts'
import type { RunAnswer } from '../../spec/interact.ts'
import { accessTokensOf } from './access-tokens.ts'

/** The addresses of a session; none once it is over. */
export function linksOf(session: Session, base: string): Pick<RunAnswer, 'cdpUrl' | 'liveViewUrl' | 'interactiveLiveViewUrl'> {
  if (session.state !== 'live') return {}
  const { cdpUrl, ...views } = liveUrls(base, session.id, accessTokensOf(session))
  return session.streams ? { cdpUrl, ...views } : { cdpUrl }
}

/** When a session ends at the latest. */
export const expiryOf = ({ startedAt, createdAt, ttlMs }: Session): string => isoTime((startedAt ?? createdAt) + ttlMs)

/** A session as it is shown alone. */
export function shown(session: Session, base: string): BrowserStatus {
  const { id, state, streams, scrape, createdAt, lastActivityAt } = session
  return {
    id,
    status: state === 'destroyed' ? 'destroyed' : 'active',
    ...linksOf(session, base),
    streamWebView: streams,
    createdAt: isoTime(createdAt),
    lastActivity: isoTime(lastActivityAt),
    ...(state === 'live' ? { expiresAt: expiryOf(session) } : {}),
    ...(scrape === null ? {} : { scrapeId: scrape }),
  }
}

/** A session as lists show it. */
export const listed = (session: Session, base: string): BrowserSession => ({ cdpUrl: '', liveViewUrl: '', ...shown(session, base) })
