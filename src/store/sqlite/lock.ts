import { openDatabase } from './driver.ts'

/** A process that is ending, or an admin command that just looks, may hold the lock for a moment. */
const patienceMs = 1_000

/** Locks a data folder for this process with an operating system lock, which ends with the process, however that ends. Throws if another process has it. Returns the function that unlocks it. */
export function lockFolder(file: string): () => void {
  const unlock = lock(file, patienceMs)
  if (!unlock) throw new Error('Another process is using this data folder; stop it first, or choose another folder.')
  return unlock
}

/** The same without waiting; undefined when another process has the folder. */
export function lockIfFree(file: string): (() => void) | undefined {
  return lock(file, 0)
}

function lock(file: string, timeout: number): (() => void) | undefined {
  const db = openDatabase(file, { timeout })
  try {
    db.exec('begin exclusive')
  } catch (error) {
    db.close()
    if (error instanceof Error && /locked|busy/i.test(error.message)) return undefined
    throw error
  }
  return () => db.close()
}
