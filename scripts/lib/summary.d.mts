export interface Outcome {
  readonly name: string
  readonly passed: number
  readonly failed: number
  readonly notes: readonly string[]
}

/** Outcome of a check that answers by its exit code. */
export function checkOutcome(name: string, code: number): Outcome

/** Outcome of a test run, from the runner's JSON report (undefined when it wrote none). */
export function testOutcome(run: { report: unknown; code: number; files: readonly string[]; root: string; strict: boolean }): Outcome

/** The closing lines of a run; the last is what scripts read. */
export function summary(outcomes: readonly Outcome[]): { lines: readonly string[]; code: number }
