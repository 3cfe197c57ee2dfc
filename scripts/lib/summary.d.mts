export interface Outcome {
  readonly name: string
  readonly passed: number
  readonly failed: number
  readonly notes: readonly string[]
}

/** The outcome of a check that reports by its exit code. */
export function checkOutcome(name: string, code: number): Outcome

/** The outcome of a test run, from the runner's JSON report (undefined if it wrote none). */
export function testOutcome(run: { report: unknown; code: number; files: readonly string[]; root: string; strict: boolean }): Outcome

/** The last lines of a run; scripts parse the very last. */
export function summary(outcomes: readonly Outcome[]): { lines: readonly string[]; code: number }
