import type { StdioOptions } from 'node:child_process'
import { openSync, readdirSync, readFileSync } from 'node:fs'
import { once } from '../lib/once.ts'

/** O_CLOEXEC of fcntl.h, as written in proc(5). */
const closedOnExec = 0o2000000

/** Stays open: children get it in place of descriptors that they must not have. */
const nothing = once(() => openSync('/dev/null', 'r'))

/** Whether child processes would inherit that descriptor. */
function isInherited(descriptor: string): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1]
    return flags !== undefined && (Number.parseInt(flags, 8) & closedOnExec) === 0
  } catch {
    // It was the descriptor used for reading the list.
    return false
  }
}

function inherited(): readonly number[] {
  try {
    return readdirSync('/proc/self/fd').filter(isInherited).map(Number)
  } catch {
    // Not on Linux: there is no confinement either.
    return []
  }
}

type Stdio = Extract<StdioOptions, readonly unknown[]>

/**
 * The `stdio` option that gives a child only its own descriptors. Files that this service's parent had open are open in it
 * too, and Node only hides the first of them from children; the others are replaced by an empty one.
 */
export function noneBut(own: Stdio): Stdio {
  const all: Stdio = [...own]
  for (const descriptor of inherited()) {
    while (all.length <= descriptor) all.push('ignore')
    if (descriptor > 2 && all[descriptor] === 'ignore') all[descriptor] = nothing()
  }
  return all
}
