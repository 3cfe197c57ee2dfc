import type { ProfileKey, ProfileQuota, SavedProfile } from '../../domain/sessions/profiles.ts'
import { forUpdate, integer } from '../dialect.ts'
import { type Op, all, exclusively, first, run } from '../op.ts'
import { sql } from '../sql.ts'

interface Row {
  readonly blob: string | null
  readonly bytes: number | null
  readonly savedAt: number | null
}

const saved = ({ blob, bytes, savedAt }: Row): SavedProfile | null => (blob === null ? null : { blob, bytes: bytes ?? 0, savedAt: savedAt ?? 0 })

/** Profiles; one token at a time may write each. A row without a blob is only a lock. */
export const profiles = {
  *find({ team, name }: ProfileKey): Op<SavedProfile | null> {
    const row = yield* first<Row>(sql`select blob, bytes, saved_at as "savedAt" from profiles where team = ${team} and name = ${name}`)
    return row && saved(row)
  },

  *lock({ team, name }: ProfileKey, token: string, until: number, now: number): Op<boolean> {
    // A single statement decides who gets it.
    const got = yield* all(sql`insert into profiles (team, name, token, until) values (${team}, ${name}, ${token}, ${until})
      on conflict (team, name) do update set token = excluded.token, until = excluded.until
      where profiles.token is null or profiles.until <= ${now} or profiles.token = excluded.token returning name`)
    return got.length > 0
  },

  *renew({ team, name }: ProfileKey, token: string, until: number): Op<boolean> {
    const renewed = yield* all(sql`update profiles set until = ${until} where team = ${team} and name = ${name} and token = ${token} returning name`)
    return renewed.length > 0
  },

  *beside({ team, name }: ProfileKey): Op<ProfileQuota> {
    const row = yield* first<ProfileQuota>(sql`select count(*) as profiles, cast(coalesce(sum(bytes), 0) as ${integer}) as bytes from profiles where team = ${team} and name <> ${name} and blob is not null`)
    return row ?? { profiles: 0, bytes: 0 }
  },

  *save({ team, name }: ProfileKey, token: string, { blob, bytes, savedAt }: SavedProfile, quota: ProfileQuota): Op<'saved' | 'lost' | 'full'> {
    // Two profiles of a team saved at once must count each other.
    yield* exclusively(`profiles of ${team}`)
    const others = yield* profiles.beside({ team, name })
    if (others.profiles >= quota.profiles || others.bytes + bytes > quota.bytes) return 'full'
    const kept = yield* all(sql`update profiles set blob = ${blob}, bytes = ${bytes}, saved_at = ${savedAt} where team = ${team} and name = ${name} and token = ${token} returning name`)
    return kept.length > 0 ? 'saved' : 'lost'
  },

  *release({ team, name }: ProfileKey, token: string): Op<void> {
    yield* run(sql`delete from profiles where team = ${team} and name = ${name} and token = ${token} and blob is null`)
    yield* run(sql`update profiles set token = null, until = 0 where team = ${team} and name = ${name} and token = ${token}`)
  },

  *remove({ team, name }: ProfileKey, now: number): Op<SavedProfile | 'absent' | 'locked'> {
    const row = yield* first<Row & { readonly token: string | null; readonly until: number }>(
      sql`select blob, bytes, saved_at as "savedAt", token, until from profiles where team = ${team} and name = ${name} ${forUpdate}`,
    )
    if (!row) return 'absent'
    if (row.token !== null && row.until > now) return 'locked'
    yield* run(sql`delete from profiles where team = ${team} and name = ${name}`)
    return saved(row) ?? 'absent'
  },
}
