import { creditsOfSession } from '../../domain/teams/credits.ts'
import type { ClaimTerms, Ending, NewSession, Session, SessionClaim, SessionOwner } from '../../domain/sessions/sessions.ts'
import { type Op, all, exclusively, first, run } from '../op.ts'
import { type Sql, sql } from '../sql.ts'
import { dropHold, ledger } from './ledger.ts'

type Row = Omit<Session, 'streams' | 'prompted'> & { readonly streams: number; readonly prompted: number }

const columns = sql`id, team, key, scrape, state, owner, ttl_ms as "ttlMs", idle_ms as "idleMs", streams, secret, prompted, created_at as "createdAt", started_at as "startedAt",
  last_activity_at as "lastActivityAt", ended_at as "endedAt", reason as "end", credits`

/** Sessions of processes whose heartbeat is overdue. */
const lost = (now: number): Sql => sql`ended_at is null and not exists (select 1 from session_owners o where o.id = sessions.owner and o.until > ${now})`

/** Sessions ended in one transaction. */
const reapBatch = 200

function sessionOf(row: Row | null): Session | null {
  if (row === null) return null
  const { key, ...rest } = row
  return { ...rest, ...(key === null ? {} : { key }), streams: row.streams === 1, prompted: row.prompted === 1 }
}

/** Live browser sessions. */
export const sessions = {
  *beat({ id, url, open, until }: Pick<SessionOwner, 'id' | 'url' | 'open' | 'until'>, now: number): Op<readonly string[]> {
    // A process that accepts no more sessions is ending its own: they stay its own until its heartbeat stops.
    if (url !== null && open) yield* run(sql`update session_owners set until = 0 where url = ${url} and id <> ${id} and takes = 1 and until > 0`)
    yield* run(sql`insert into session_owners (id, url, takes, seen_at, until) values (${id}, ${url}, ${open ? 1 : 0}, ${now}, ${until})
      on conflict (id) do update set url = excluded.url, takes = excluded.takes, seen_at = excluded.seen_at, until = excluded.until`)
    return (yield* all<{ id: string }>(sql`select id from sessions where owner = ${id} and ended_at is null`)).map((row) => row.id)
  },

  *leave(owner: string): Op<void> {
    yield* run(sql`update session_owners set until = 0 where id = ${owner}`)
  },

  *owner(id: string): Op<SessionOwner | null> {
    return (yield* owners(sql`o.id = ${id}`))[0] ?? null
  },

  *hosts(now: number): Op<readonly SessionOwner[]> {
    return yield* owners(sql`o.takes = 1 and o.url is not null and o.until > ${now}`)
  },

  *claim(session: NewSession, { limit, hold, now }: ClaimTerms): Op<SessionClaim> {
    const { id, team, scrape } = session
    yield* exclusively(`sessions of ${team}`)
    const taken = scrape === null ? null : yield* sessions.ofScrape(scrape)
    if (taken !== null) return { kind: 'taken', session: taken }
    const others = yield* all<Pick<Session, 'startedAt' | 'ttlMs' | 'idleMs' | 'lastActivityAt'>>(sql`select started_at as "startedAt", ttl_ms as "ttlMs", idle_ms as "idleMs", last_activity_at as "lastActivityAt"
      from sessions where team = ${team} and ended_at is null and not (${lost(now)})`)
    if (others.length >= limit) return { kind: 'full', freeAt: Math.min(...others.map((other) => Math.min((other.startedAt ?? now) + other.ttlMs, other.lastActivityAt + other.idleMs))) }
    if (hold !== null && !(yield* ledger.hold(session, id, hold.credits, hold.until, now))) return { kind: 'poor' }
    yield* run(sql`insert into sessions (id, team, key, scrape, state, owner, ttl_ms, idle_ms, streams, secret, created_at, last_activity_at)
      values (${id}, ${team}, ${session.key ?? null}, ${scrape}, 'opening', ${session.owner}, ${session.ttlMs}, ${session.idleMs}, ${session.streams ? 1 : 0}, ${session.secret}, ${session.createdAt}, ${session.createdAt})`)
    return { kind: 'claimed' }
  },

  *started(id: string, now: number): Op<Session | null> {
    return sessionOf(yield* first<Row>(sql`update sessions set state = 'live', started_at = ${now}, last_activity_at = ${now} where id = ${id} and state = 'opening' returning ${columns}`))
  },

  *forget(id: string): Op<void> {
    const gone = yield* first<{ team: string }>(sql`delete from sessions where id = ${id} and state = 'opening' returning team`)
    if (gone !== null) yield* dropHold(gone.team, id)
  },

  *used(id: string, at: number, prompted: boolean): Op<void> {
    yield* run(sql`update sessions set last_activity_at = ${at}, prompted = ${prompted ? sql`1` : sql`prompted`} where id = ${id} and ended_at is null`)
  },

  *end(id: string, { end, at, usedAt = 0, keepMs }: Ending): Op<Session | null> {
    // Locked before it is read: if two end it at once, the second finds it ended.
    const open = yield* first<Row>(sql`update sessions set ended_at = ${at}, last_activity_at = case when last_activity_at < ${usedAt} then ${usedAt} else last_activity_at end where id = ${id} and ended_at is null returning ${columns}`)
    if (open === null) return yield* sessions.find(id)
    const { team, key, startedAt } = open
    const credits = startedAt === null ? 0 : creditsOfSession(at - startedAt, open.prompted === 1)
    yield* run(sql`update sessions set state = 'destroyed', reason = ${end}, credits = ${credits}, secret = '', keep_until = ${at + keepMs} where id = ${id}`)
    if (credits > 0) yield* ledger.charge(team, { ref: id, kind: 'browser', credits, at, key })
    else yield* dropHold(team, id)
    return yield* sessions.find(id)
  },

  *find(id: string): Op<Session | null> {
    return sessionOf(yield* first<Row>(sql`select ${columns} from sessions where id = ${id}`))
  },

  *ofScrape(scrape: string): Op<Session | null> {
    return sessionOf(yield* first<Row>(sql`select ${columns} from sessions where scrape = ${scrape}`))
  },

  *list(team: string, since: number): Op<readonly Session[]> {
    const rows = yield* all<Row>(sql`select ${columns} from sessions where team = ${team} and (state = 'live' or ended_at > ${since}) order by created_at desc, id desc limit 1000`)
    return rows.flatMap((row) => sessionOf(row) ?? [])
  },

  *reap(now: number, keepMs: number): Op<readonly string[]> {
    const gone = yield* all<{ id: string; state: string; startedAt: number | null; seenAt: number | null }>(sql`select id, state, started_at as "startedAt",
      (select seen_at from session_owners o where o.id = sessions.owner) as "seenAt" from sessions where ${lost(now)} order by team, id limit ${reapBatch}`)
    for (const { id, state, startedAt, seenAt } of gone) {
      if (state === 'opening') yield* sessions.forget(id)
      else yield* sessions.end(id, { end: 'lost', at: Math.max(startedAt ?? 0, seenAt ?? 0), keepMs: keepMs + now - Math.max(startedAt ?? 0, seenAt ?? 0) })
    }
    yield* run(sql`delete from session_owners where until <= ${now} and not exists (select 1 from sessions where owner = session_owners.id and ended_at is null)`)
    return gone.filter(({ state }) => state !== 'opening').map(({ id }) => id)
  },
}

function* owners(where: Sql): Op<readonly SessionOwner[]> {
  const rows = yield* all<Omit<SessionOwner, 'open'> & { readonly takes: number }>(sql`select o.id, o.url, o.takes, o.seen_at as "seenAt", o.until,
    (select count(*) from sessions s where s.owner = o.id and s.ended_at is null) as "sessions" from session_owners o where ${where} order by "sessions", o.id`)
  return rows.map(({ takes, ...owner }) => ({ ...owner, open: takes === 1 }))
}
