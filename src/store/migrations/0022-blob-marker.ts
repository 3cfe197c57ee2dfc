import { integer, strict } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'

/** The marker blob, by which processes check that they share one place for blobs. */
export const statements: readonly Sql[] = [sql`create table blob_marker (id ${integer} primary key, blob text not null) ${strict}`]
