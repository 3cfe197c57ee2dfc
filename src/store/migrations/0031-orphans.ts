import { type Sql, sql } from '../sql.ts'

const jobless = sql`not exists (select 1 from jobs j where j.id = job)`

/**
 * Removes what two processes left of an expired job when they swept it at the same time: nobody would ever remove it, and one waiting delivery
 * whose event is gone would stop all others.
 */
export const statements: readonly Sql[] = [
  sql`delete from outbox where ${jobless}`,
  sql`delete from results where job is not null and ${jobless}`,
  sql`delete from job_events where ${jobless}`,
  sql`delete from job_errors where ${jobless}`,
  sql`delete from job_skipped where ${jobless}`,
  sql`delete from job_pages where ${jobless}`,
  sql`delete from job_details where ${jobless}`,
]
