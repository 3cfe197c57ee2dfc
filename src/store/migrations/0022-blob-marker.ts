import { integer, strict } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'

/** The blob by which processes tell whether they keep blobs in one place. */
export const statements: readonly Sql[] = [sql`create table blob_marker (id ${integer} primary key, blob text not null) ${strict}`]
