import { createHmac } from 'node:crypto'
import type { LiveDoor } from '../../domain/sessions/live-browser.ts'
import type { Session } from '../../domain/sessions/sessions.ts'

const token = (secret: string, access: string): string => createHmac('sha256', secret).update(access).digest('base64url')

/** The tokens that open a session to their bearer. Derived from its secret, so that every process of the fleet hands out the same ones. */
export function accessTokensOf({ id, secret }: Pick<Session, 'id' | 'secret'>): LiveDoor['tokens'] {
  return { cdp: token(secret, `cdp ${id}`), view: token(secret, `view ${id}`), control: token(secret, `control ${id}`) }
}
