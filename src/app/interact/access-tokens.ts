import { createHmac } from 'node:crypto'
import type { LiveDoor } from '../../domain/live-browser.ts'
import type { Session } from '../../domain/sessions.ts'

const token = (secret: string, access: string): string => createHmac('sha256', secret).update(access).digest('base64url')

/** What opens a session to whoever comes with it: made of its secret, so that every process of the fleet hands out the same. */
export function accessTokensOf({ id, secret }: Pick<Session, 'id' | 'secret'>): LiveDoor['tokens'] {
  return { cdp: token(secret, `cdp ${id}`), view: token(secret, `view ${id}`), control: token(secret, `control ${id}`) }
}
