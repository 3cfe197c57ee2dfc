/** What was learned about how the pages of one shape on one host are best fetched. */
export interface EngineLesson {
  /** Above zero: pages of this shape needed a browser; below: plain HTTP was enough. */
  readonly score: number
  /** How often the lesson was used since it was last put to the test. */
  readonly uses: number
  /** When it was last changed, milliseconds since 1970. */
  readonly at: number
}

/** Sites are rebuilt: a lesson counts half after a week. */
const halfLifeMs = 7 * 86_400_000
const bound = 8
/**
 * Three pages in a row that needed a browser, and none that did not, before one is rendered untried: a fetch in vain costs a hundredth
 * of a page rendered for nothing.
 */
const steps = { browser: 2, http: -2 } as const
const enough = 5
/** After so many pages rendered on the strength of a lesson, plain HTTP gets another chance. */
const testEvery = 20

const faded = (lesson: EngineLesson, now: number): number => lesson.score * 0.5 ** (Math.max(0, now - lesson.at) / halfLifeMs)

/** Whether pages like this are to be rendered at once. */
export function expectsBrowser(lesson: EngineLesson | null, now: number): boolean {
  return lesson !== null && faded(lesson, now) >= enough && lesson.uses % testEvery !== testEvery - 1
}

/** Whether one more page that did without a browser would say anything new. */
export function canLearnHttp(lesson: EngineLesson | null): lesson is EngineLesson {
  return lesson !== null && lesson.score > -bound
}

/** The lesson after one more page: `engine` is what the page turned out to need. */
export function learned(lesson: EngineLesson | null, engine: keyof typeof steps, now: number): EngineLesson {
  const before = lesson === null ? 0 : faded(lesson, now)
  return { score: Math.round(Math.max(-bound, Math.min(bound, before + steps[engine]))), uses: 0, at: now }
}

/** Segments of a path that name one page among many: numbers, dates, long or mixed identifiers, slugs of several words. */
const variable = /\d|^[^-_]*[-_][^-_]*[-_]|^.{25,}$/

/** The path with what differs from page to page replaced by `*`: pages of one template share it. */
export function pathShape({ pathname }: Pick<URL, 'pathname'>): string {
  const segments = pathname.split('/').map((segment) => (variable.test(segment) ? '*' : segment))
  return segments.slice(0, 8).join('/').slice(0, 200)
}

/** Pages of one shape on one host, as one team met them. */
export interface LessonKey {
  readonly team: string
  readonly host: string
  readonly shape: string
}

/** What was learned about which engine the pages of a host need; kept for two months. */
export interface Lessons {
  recall(key: LessonKey): Promise<EngineLesson | null>
  note(key: LessonKey, lesson: EngineLesson): Promise<void>
}
