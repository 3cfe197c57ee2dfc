/** The part of a child process that is looked at here. */
interface Spawned {
  readonly stdio: unknown
  once(event: 'error', listener: () => void): unknown
}

/**
 * Returns a process that was just spawned, if it has its pipes; throws otherwise. Where file descriptors run out, Node creates neither process
 * nor pipes and reports it only by a later `error` event. Touching the missing pipes before listening to that event would crash this process.
 */
export function withPipes<T extends Spawned>(child: T): T {
  if (child.stdio !== undefined) return child
  child.once('error', () => undefined)
  throw new Error('A program could not be started: too many files are open.')
}
