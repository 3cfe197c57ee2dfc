import type { Rest } from '../src/domain/call.ts'

/** A clock of a call that says when it stands and when it goes on. */
export function stood(): { readonly said: string[]; readonly rest: Rest } {
  const said: string[] = []
  const begin = (): (() => void) => {
    said.push('stands')
    return () => void said.push('goes on')
  }
  return { said, rest: { begin, sum: 0, after: () => () => undefined } }
}
