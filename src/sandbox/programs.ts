import { type ChildProcess, spawn } from 'node:child_process'
import { access, realpath } from 'node:fs/promises'
import { basename } from 'node:path'
import { once } from '../lib/once.ts'
import { giveFilter } from './cell.ts'
import { confined } from './plans.ts'
import { firstUid, siteHere } from './probe.ts'

/** A program of the machine, and what it reads beside the libraries of the system. */
export interface Program {
  readonly path: string
  readonly args: readonly string[]
  /** Folders and files, where there are any of that name. */
  readonly reads: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Starts a program behind walls, to be given its input and asked for its output: no network, no files but those that it reads, no rights. Null where this machine builds no walls. */
export type StartProgram = (program: Program) => Promise<ChildProcess | null>

/** Below those of user code: neither may signal the other. */
const uid = firstUid - 1

const existing = async (path: string): Promise<readonly string[]> => access(path).then(() => [path], () => [])

/** Walls for programs that read files of strangers; `hidden` as for user code. */
export function programWalls(hidden: readonly string[]): StartProgram {
  const look = once(() => siteHere(hidden).catch(() => ({ why: '' })))
  return async ({ path, args, reads, env }) => {
    const site = await look()
    if ('why' in site) return null
    const inside = `/trawl/bin/${basename(path)}`
    const shown = (await Promise.all(reads.map(existing))).flat()
    const inmate = { command: [inside, ...args], files: [[await realpath(path), inside] as const, ...shown.map((one) => [one, one] as const)], env: { PATH: '/usr/bin:/bin', HOME: '/tmp', LANG: 'C.UTF-8', ...env } } // pairs
    const { command, filter, cwd } = confined(inmate, { ...site, uid })
    const [first = '', ...rest] = command
    const child = spawn(first, rest, { env: {}, cwd, stdio: ['pipe', 'pipe', 'ignore', 'ignore', 'ignore', 'pipe'] })
    giveFilter(child, filter)
    return child
  }
}
