import { readdir, readFile } from 'node:fs/promises'

/** Watches a process and all below it; answers how to stop. Calls `kill` once, with a reason, when they use too much. */
export type Watch = (pid: number, kill: (why: string) => void) => () => void

interface Watched {
  readonly pid: number
  readonly kill: (why: string) => void
}

interface Stat {
  readonly parent: number
  readonly bytes: number
}

const pageBytes = 4096
const everyMs = 500

/** Of proc(5), fields 4 and 24 of stat. */
function statIn(text: string): Stat {
  // The name in brackets may hold anything, brackets and blanks included.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { parent: Number(fields[1]), bytes: Number(fields[21]) * pageBytes }
}

async function processes(): Promise<ReadonlyMap<number, Stat>> {
  const numbers = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number)
  // Who is gone meanwhile is left out.
  const stats = await Promise.all(numbers.map((pid) => readFile(`/proc/${pid}/stat`, 'latin1').then(statIn, () => null)))
  return new Map(numbers.flatMap((pid, i) => (stats[i] === null || stats[i] === undefined ? [] : [[pid, stats[i]] as const]))) // a pair
}

/** Resident memory of each process with all below it. Orphans hang below the first process of their namespace, so none gets away. */
function memoryBelow(all: ReadonlyMap<number, Stat>, roots: readonly number[]): ReadonlyMap<number, number> {
  const sums = new Map(roots.map((root) => [root, 0]))
  for (const [pid, { bytes }] of all) {
    // Numbers of parents are used again: no chain is followed for ever.
    for (let [at, steps] = [pid, 0]; at > 1 && steps < 1_000; at = all.get(at)?.parent ?? 0, steps++) {
      const sum = sums.get(at)
      if (sum !== undefined) sums.set(at, sum + bytes)
    }
  }
  return sums
}

/** A watch over any number of processes, which looks only while there are some. */
export function memoryWatch(memoryBytes: number): Watch {
  const watched = new Set<Watched>()
  let timer: NodeJS.Timeout | null = null

  async function look(): Promise<void> {
    const sums = memoryBelow(await processes(), [...watched].map(({ pid }) => pid))
    for (const one of watched) if ((sums.get(one.pid) ?? 0) > memoryBytes) one.kill(`It used more than ${Math.round(memoryBytes / 1024 ** 2)} MB of memory.`)
    timer = watched.size === 0 ? null : setTimeout(look, everyMs).unref()
  }

  return (pid, kill) => {
    const one: Watched = { pid, kill }
    watched.add(one)
    timer ??= setTimeout(look, everyMs).unref()
    return () => void watched.delete(one)
  }
}
