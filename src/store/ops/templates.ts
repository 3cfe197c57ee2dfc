import type { TemplateKey } from '../../domain/pages/templates.ts'
import { all, first, type Op, run } from '../op.ts'
import { sql } from '../sql.ts'

const where = ({ team, host, shape, ask }: TemplateKey) => sql`team = ${team} and host = ${host} and shape = ${shape} and ask = ${ask}`

/** What was learned about templates. */
export const templates = {
  *recall(key: TemplateKey): Op<{ readonly state: string; readonly version: number } | null> {
    return yield* first<{ state: string; version: number }>(sql`select state, version from templates where ${where(key)}`)
  },

  *note(key: TemplateKey, { state, version, at }: { readonly state: string; readonly version: number | null; readonly at: number }): Op<boolean> {
    const { team, host, shape, ask } = key
    const written = version === null
      ? yield* all(sql`insert into templates (team, host, shape, ask, state, version, uses, at) values (${team}, ${host}, ${shape}, ${ask}, ${state}, 1, 0, ${at}) on conflict do nothing returning version`)
      : yield* all(sql`update templates set state = ${state}, version = version + 1, at = ${at} where ${where(key)} and version = ${version} returning version`)
    return written.length > 0
  },

  *use(key: TemplateKey, at: number): Op<number> {
    const row = yield* first<{ uses: number }>(sql`update templates set uses = uses + 1, at = ${at} where ${where(key)} returning uses`)
    return row?.uses ?? 0
  },
}

/** What language models turned out to be able to do. */
export const abilities = {
  *recall(model: string, since: number): Op<string | null> {
    const row = yield* first<{ state: string }>(sql`select state from abilities where model = ${model} and at > ${since}`)
    return row?.state ?? null
  },

  *note(model: string, state: string, at: number): Op<void> {
    yield* run(sql`insert into abilities (model, state, at) values (${model}, ${state}, ${at}) on conflict (model) do update set state = excluded.state, at = excluded.at`)
  },
}
