/** What was learned about the best engine for pages of one shape on one host. */
export interface EngineLesson {
  /** Above zero: these pages needed a browser; below: plain HTTP was enough. */
  readonly score: number
  /** How often the lesson was used since it was last tested. */
  readonly uses: number
  /** When it last changed, milliseconds since 1970. */
  readonly at: number
}

/** Sites are rebuilt: a lesson loses half of its weight per week. */
const halfLifeMs = 7 * 86_400_000
const bound = 8
/**
 * Three pages in a row must need a browser before plain HTTP is skipped: a fetch in vain costs a hundredth of an
 * unnecessary rendering.
 */
const steps = { browser: 2, http: -2 } as const
const enough = 5
/** After this many pages rendered because of a lesson, plain HTTP is tried again. */
const testEvery = 20

const faded = (lesson: EngineLesson, now: number): number => lesson.score * 0.5 ** (Math.max(0, now - lesson.at) / halfLifeMs)

/** Whether to render pages of this shape at once. */
export function expectsBrowser(lesson: EngineLesson | null, now: number): boolean {
  return lesson !== null && faded(lesson, now) >= enough && lesson.uses % testEvery !== testEvery - 1
}

/** Whether another page that needed no browser would change the lesson. */
export function canLearnHttp(lesson: EngineLesson | null): lesson is EngineLesson {
  return lesson !== null && lesson.score > -bound
}

/** The lesson after another page: `engine` is what that page turned out to need. */
export function learned(lesson: EngineLesson | null, engine: keyof typeof steps, now: number): EngineLesson {
  const before = lesson === null ? 0 : faded(lesson, now)
  return { score: Math.round(Math.max(-bound, Math.min(bound, before + steps[engine]))), uses: 0, at: now }
}

/** Path segments that identify one page among many: numbers, dates, long or mixed identifiers, slugs of several words. */
const variable = /\d|^[^-_]*[-_][^-_]*[-_]|^.{25,}$/

/** The path with its variable segments replaced by `*`: pages of one template share it. */
export function pathShape({ pathname }: Pick<URL, 'pathname'>): string {
  const segments = pathname.split('/').map((segment) => (variable.test(segment) ? '*' : segment))
  return segments.slice(0, 8).join('/').slice(0, 200)
}

/** Pages of one shape on one host, as one team saw them. */
export interface LessonKey {
  readonly team: string
  readonly host: string
  readonly shape: string
}

/** Which engine the pages of a host need; kept for two months. */
export interface Lessons {
  recall(key: LessonKey): Promise<EngineLesson | null>
  note(key: LessonKey, lesson: EngineLesson): Promise<void>
}
