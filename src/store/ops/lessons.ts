import type { EngineLesson, LessonKey } from '../../domain/fetching/engine-memory.ts'
import { type Op, first, run } from '../op.ts'
import { sql } from '../sql.ts'

/** What was learned about fetching the pages of a host. */
export const lessons = {
  *recall({ team, host, shape }: LessonKey): Op<EngineLesson | null> {
    return yield* first<EngineLesson>(sql`select score, uses, at from lessons where team = ${team} and host = ${host} and shape = ${shape}`)
  },

  *note({ team, host, shape }: LessonKey, lesson: EngineLesson): Op<void> {
    yield* run(sql`insert into lessons (team, host, shape, score, uses, at) values (${team}, ${host}, ${shape}, ${lesson.score}, ${lesson.uses}, ${lesson.at})
      on conflict (team, host, shape) do update set score = excluded.score, uses = excluded.uses, at = excluded.at`)
  },
}
