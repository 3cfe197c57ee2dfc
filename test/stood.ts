import type { CallClock } from '../src/domain/call.ts'

/** A call clock that records when it is paused and resumed. */
export function stood(): { readonly said: string[]; readonly clock: CallClock } {
  const said: string[] = []
  const pause = (): (() => void) => {
    said.push('stands')
    return () => void said.push('goes on')
  }
  return { said, clock: { pause, pausedMs: 0, after: () => () => undefined } }
}
