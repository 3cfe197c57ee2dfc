import { StoreRefusal } from '../../domain/errors.ts'

/** What SQLite says when it can never hold something. By its words: one of its two drivers drops the code. */
const refusing = /constraint failed|^string or blob too big$|^cannot store \w+ value in |^datatype mismatch$/

/** The error as a `StoreRefusal` where the same statement would be refused each time, else as it is. */
export function asRefusal(error: unknown): unknown {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR' && refusing.test(error.message) ? new StoreRefusal(error) : error
}
