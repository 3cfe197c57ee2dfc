import { StoreAway } from '../../domain/errors.ts'

/** False for a missing file; any other error is thrown. */
export function missing(error: unknown): false {
  if (hasCode(error, 'ENOENT')) return false
  throw error
}

/** Whether it is a file system error with one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => code === error.code)
}

/** A full disk or quota, a device that fails or can only be read, no descriptor left, a network share that is gone. */
const awayCodes = ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EMFILE', 'ENFILE', 'ESTALE'] as const

/** A failure of the file system as a `StoreAway` where the same may succeed later, as the database calls it; any other as it is. */
export function classified(error: unknown): unknown {
  return hasCode(error, ...awayCodes) ? new StoreAway(error) : error
}
