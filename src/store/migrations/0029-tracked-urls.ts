import { byUrl } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'

/** Finds the tracked pages of a team by their URLs, and the newest version of each, however many versions there are. */
export const statements: readonly Sql[] = [sql`create index versions_by_url on versions (team, coalesce(tag, ''), ${byUrl(sql`url`)}, number)`]
