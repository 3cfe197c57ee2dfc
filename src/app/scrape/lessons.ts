import type { EngineLesson, LessonKey, Lessons } from '../../domain/fetching/engine-memory.ts'

/** Lessons of other processes are noticed this late: a lesson is a guess, and a wrong one costs a fetch. */
const freshMs = 5_000
const maxKept = 2_000

interface Kept {
  readonly lesson: Promise<EngineLesson | null>
  readonly until: number
}

/** The same lessons, each read at most every five seconds: pages of one template follow each other. Throws what the store throws. */
export function keptLessons(lessons: Lessons, now: () => number): Lessons {
  const kept = new Map<string, Kept>()
  const nameOf = ({ team, host, shape }: LessonKey): string => `${team} ${host} ${shape}`
  const keep = (name: string, lesson: Promise<EngineLesson | null>): void => {
    kept.delete(name)
    kept.set(name, { lesson, until: now() + freshMs })
    const [oldest] = kept.keys()
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
  }
  return {
    recall(key) {
      const name = nameOf(key)
      const known = kept.get(name)
      if (known !== undefined && known.until > now()) return known.lesson
      const lesson = lessons.recall(key)
      keep(name, lesson)
      lesson.catch(() => kept.get(name)?.lesson === lesson && kept.delete(name))
      return lesson
    },
    async note(key, lesson) {
      keep(nameOf(key), Promise.resolve(lesson))
      await lessons.note(key, lesson)
    },
  }
}
