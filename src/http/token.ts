import { createHash, timingSafeEqual } from 'node:crypto'
import { ServiceError } from '../domain/errors.ts'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Whether both are equal; takes the same time wherever they differ. */
export function isToken(given: string, wanted: string): boolean {
  return timingSafeEqual(digest(given), digest(wanted))
}

/** Throws `UNAUTHORIZED` unless both are equal; takes the same time wherever they differ. */
export function assertToken(given: string | null, wanted: string): void {
  if (given === null || !isToken(given, wanted)) throw new ServiceError('UNAUTHORIZED')
}
