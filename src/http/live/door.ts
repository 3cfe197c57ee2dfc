import type { IncomingMessage } from 'node:http'
import { ServiceError } from '../../domain/errors.ts'
import type { LiveAccess, LiveDoor, LiveSessions } from '../../domain/sessions/live-browser.ts'
import { isToken } from '../token.ts'

/** A client with a token that opens a session. */
export interface Admitted {
  readonly id: string
  readonly door: LiveDoor
  readonly access: LiveAccess
}

/** The session and token that a request names. */
export interface Wanted {
  readonly id: string
  readonly token: string
  readonly way: 'cdp' | 'view'
}

const path = /^\/v2\/(?:browser|interact)\/([A-Za-z0-9_-]{1,100})\/(cdp|view)\/?(?:\?(.*))?$/

/** The session that a request URL refers to; null for other URLs. */
export function wantedBy({ url = '' }: Pick<IncomingMessage, 'url'>): Wanted | null {
  const [, id, way, query] = path.exec(url) ?? []
  if (id === undefined || (way !== 'cdp' && way !== 'view')) return null
  return { id, way, token: new URLSearchParams(query ?? '').get('token') ?? '' }
}

const closed = (): ServiceError => new ServiceError('NOT_FOUND', 'There is no such live session, or its address is not complete.')

function accessOf({ way, token }: Wanted, tokens: LiveDoor['tokens'] | undefined): LiveAccess {
  const accesses: readonly LiveAccess[] = way === 'cdp' ? ['cdp'] : ['control', 'view']
  const access = tokens === undefined ? undefined : accesses.find((one) => isToken(token, tokens[one]))
  if (access === undefined) throw closed()
  return access
}

/**
 * Admits a client to a session. Throws `NOT_FOUND` alike for a session that has ended, that never existed, or that the
 * token is not for.
 */
export async function admit(wanted: Wanted, sessions: LiveSessions): Promise<Admitted> {
  const door = await sessions.find(wanted.id)
  const access = accessOf(wanted, door?.tokens)
  if (door === null) throw closed()
  return { id: wanted.id, door, access }
}

/** What the token gives access to, in whatever process the session lives. Throws as `admit` does. */
export async function recognise(wanted: Wanted, sessions: LiveSessions): Promise<{ readonly access: LiveAccess; readonly tokens: LiveDoor['tokens'] }> {
  const tokens = (await sessions.find(wanted.id))?.tokens ?? (await sessions.tokens?.(wanted.id)) ?? undefined
  const access = accessOf(wanted, tokens)
  if (tokens === undefined) throw closed()
  return { access, tokens }
}
