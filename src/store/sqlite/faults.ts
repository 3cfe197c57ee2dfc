import { StoreAway, StoreRefusal } from '../../domain/errors.ts'

// By SQLite's words: one of its two drivers drops the code.
/** Said of what it can never hold. */
const refusing = /constraint failed|^string or blob too big$|^cannot store \w+ value in |^datatype mismatch$/
/** Said while the file cannot be written or read: a full disk, a backup that holds it too long. */
const away = /^database or disk is full$|^disk I\/O error$|^unable to open database file$|^database is locked$/

/** An error of SQLite as a `StoreRefusal` where the same statement would be refused each time, as a `StoreAway` where it may succeed later; any other as it is. */
export function classified(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR')) return error
  return refusing.test(error.message) ? new StoreRefusal(error) : away.test(error.message) ? new StoreAway(error) : error
}
