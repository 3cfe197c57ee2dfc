import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collects what nobody refers to any more. */
function collect(): void {
  setFlagsFromString('--expose-gc')
  const now = runInNewContext('gc') as () => void // there with that flag
  now()
}

/** Bytes of values that somebody refers to. */
export function heapInUse(): number {
  collect()
  return process.memoryUsage().heapUsed
}

/** Whether something is kept in memory after `make` has settled, though nobody asks for it any more. */
export async function isKept(make: () => Promise<object>): Promise<boolean> {
  const ref = await make().then((made) => new WeakRef(made))
  // What was looked at in a turn of the event loop is kept until its end.
  for (let turn = 0; turn < 10 && ref.deref() !== undefined; turn++) {
    await new Promise((resolve) => setImmediate(resolve))
    collect()
  }
  return ref.deref() !== undefined
}
