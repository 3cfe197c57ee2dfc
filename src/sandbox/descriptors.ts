import type { StdioOptions } from 'node:child_process'
import { openSync, readdirSync, readFileSync } from 'node:fs'
import { once } from '../lib/once.ts'

/** O_CLOEXEC of fcntl.h, as proc(5) writes it. */
const closedOnExec = 0o2000000

/** Stays open: every child is given it in place of what it is not to have. */
const nothing = once(() => openSync('/dev/null', 'r'))

/** Whether a program that this process starts would have that descriptor too. */
function isInherited(descriptor: string): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1]
    return flags !== undefined && (Number.parseInt(flags, 8) & closedOnExec) === 0
  } catch {
    // It was the one by which the list was read.
    return false
  }
}

function inherited(): readonly number[] {
  try {
    return readdirSync('/proc/self/fd').filter(isInherited).map(Number)
  } catch {
    // Not Linux: there are no walls either.
    return []
  }
}

type Stdio = Extract<StdioOptions, readonly unknown[]>

/**
 * What a child is started with, and nothing else: files that whoever started this service had open are open in it too, and Node, which hides
 * the first of them from children, leaves it at that. In their place the child has one that is empty.
 */
export function noneBut(own: Stdio): Stdio {
  const all: Stdio = [...own]
  for (const descriptor of inherited()) {
    while (all.length <= descriptor) all.push('ignore')
    if (descriptor > 2 && all[descriptor] === 'ignore') all[descriptor] = nothing()
  }
  return all
}
