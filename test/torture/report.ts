import type { Walk } from './kill.ts'

/** More commits than a crawl of 30 pages makes. */
export const allPoints: readonly number[] = Array.from({ length: 2_000 }, (_, i) => i + 1)

/** Prints the numbers and faults of a walk at once: the others may take long. */
export function report(what: string, { kills, jobs, faults }: Walk): void {
  process.stdout.write(`${[`${what}: ${kills} kills, ${jobs} jobs looked at`, ...faults].join('\n')}\n`)
}
