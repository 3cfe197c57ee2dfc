/** What a class of Unicode (`\pL`) takes, in characters of a range. */
const unicodeClass = 5_000
/** Above this character none has another case. */
const lastWithCase = 0x1e943
const maxWork = 10_000_000

const unicodeClasses = /\\[pP]/g
const ignoresCase = /\(\?[\w-]*i/
/** What may be the end of a range: wherever a dash is, for one may stand before another. */
const ends = /-(?=\\x\{?([0-9a-f]+)|(.))/gisu

/** The most that compiling a pattern may take: each character of a range is looked at where case is ignored. */
function compileWork(pattern: string): number {
  const classes = (pattern.match(unicodeClasses)?.length ?? 0) * unicodeClass
  if (!ignoresCase.test(pattern)) return classes
  const ranges = [...pattern.matchAll(ends)].map(([, hex, literal]) => Math.min(lastWithCase, hex === undefined ? (literal?.codePointAt(0) ?? 0) : parseInt(hex, 16)))
  return ranges.reduce((sum, width) => sum + width, classes)
}

/** Counts the work of compiling patterns; false once those so far would hold up the process for about a second. */
export function patternBudget(): (pattern: string) => boolean {
  let work = 0
  return (pattern) => (work += compileWork(pattern)) <= maxWork
}
