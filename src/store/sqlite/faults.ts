import { StoreAway, StoreRefusal, storeDamaged } from '../../domain/errors.ts'

// By SQLite's words: one of its two drivers drops the code.
/** Said of what it can never hold. */
const refusing = /constraint failed|^string or blob too big$|^cannot store \w+ value in |^datatype mismatch$/
/** Said while the file cannot be written or read: a full disk, a backup that holds it too long. */
const away = /^database or disk is full$|^disk I\/O error$|^unable to open database file$|^database is locked$/
/** Said of pages that are not what SQLite wrote: a failing disk, a file that something else wrote into. */
const damaged = /^database disk image is malformed$|^malformed database schema|^file is not a database$/

/** An error of SQLite as a `StoreRefusal` where the same statement would be refused each time, as a `StoreAway` where it may succeed later or the file is damaged; any other as it is. */
export function classified(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR')) return error
  if (damaged.test(error.message)) return storeDamaged(error)
  return refusing.test(error.message) ? new StoreRefusal(error) : away.test(error.message) ? new StoreAway(error) : error
}
