import type { Walk } from './kill.ts'

/** More commits than a crawl of 30 pages makes. */
export const allPoints: readonly number[] = Array.from({ length: 2_000 }, (_, i) => i + 1)

/** Prints the figures of a walk. */
export function report(what: string, { kills, jobs }: Walk): void {
  process.stdout.write(`${what}: ${kills} kills, ${jobs} jobs looked at\n`)
}
