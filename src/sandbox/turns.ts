import type { Interpreter, Run, RunTerms } from '../domain/sandbox.ts'

/** An interpreter whose runs come one after the other; `end` is called when it is closed and waits for what runs. */
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
