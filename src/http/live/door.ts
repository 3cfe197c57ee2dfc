import type { IncomingMessage } from 'node:http'
import { ServiceError } from '../../domain/errors.ts'
import type { LiveAccess, LiveDoor, LiveSessions } from '../../domain/live-browser.ts'
import { isToken } from '../token.ts'

/** Somebody who came with a token that opens a session. */
export interface Admitted {
  readonly id: string
  readonly door: LiveDoor
  readonly access: LiveAccess
}

/** What is wanted of a session. */
export interface Wanted {
  readonly id: string
  readonly token: string
  readonly way: 'cdp' | 'view'
}

const path = /^\/v2\/(?:browser|interact)\/([A-Za-z0-9_-]{1,100})\/(cdp|view)\/?(?:\?(.*))?$/

/** The session that the address of a request asks for; null where it is no such address. */
export function wantedBy({ url = '' }: Pick<IncomingMessage, 'url'>): Wanted | null {
  const [, id, way, query] = path.exec(url) ?? []
  if (id === undefined || (way !== 'cdp' && way !== 'view')) return null
  return { id, way, token: new URLSearchParams(query ?? '').get('token') ?? '' }
}

/** Opens the door. Throws `NOT_FOUND`: of sessions that are no more, never were, or that the token is not for, one hears the same. */
export async function admit({ id, way, token }: Wanted, sessions: LiveSessions): Promise<Admitted> {
  const door = await sessions.find(id)
  const accesses: readonly LiveAccess[] = way === 'cdp' ? ['cdp'] : ['control', 'view']
  const access = door === null ? undefined : accesses.filter((one) => isToken(token, door.tokens[one]))[0]
  if (door === null || access === undefined) throw new ServiceError('NOT_FOUND', 'There is no such live session, or its address is not complete.')
  return { id, door, access }
}
