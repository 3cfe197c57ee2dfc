/** A child process, as far as this looks at it. */
interface Spawned {
  readonly stdio: unknown
  once(event: 'error', listener: () => void): unknown
}

/**
 * A process that was just spawned, if it has its pipes. Where no descriptors are left for them Node makes neither, and tells so by an event in a
 * moment: who reaches for the pipes before he listens would end this process by that. Throws instead.
 */
export function withPipes<T extends Spawned>(child: T): T {
  if (child.stdio !== undefined) return child
  child.once('error', () => undefined)
  throw new Error('A program could not be started: too many files are open.')
}
