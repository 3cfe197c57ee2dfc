import type { Interpreter, Run, RunTerms } from '../domain/sessions/sandbox.ts'

/**
 * An interpreter whose runs are executed one after the other. `end` is called on close, and gets the last run to wait for.
 */
export function inTurns(runNow: (code: string, terms: RunTerms) => Promise<Run>, end: (last: Promise<unknown>) => Promise<void>): Interpreter {
  let turn: Promise<unknown> = Promise.resolve()
  return {
    run(code, terms) {
      const mine = turn.then(() => runNow(code, terms))
      turn = mine.catch(() => undefined)
      return mine
    },
    close: () => end(turn),
  }
}
