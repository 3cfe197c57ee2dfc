import { createHash, timingSafeEqual } from 'node:crypto'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Whether both are equal; takes the same time wherever they differ. */
export function isToken(given: string, wanted: string): boolean {
  return timingSafeEqual(digest(given), digest(wanted))
}
