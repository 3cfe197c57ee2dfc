import { type ChildProcess, spawn } from 'node:child_process'
import { access, realpath } from 'node:fs/promises'
import { basename } from 'node:path'
import { once } from '../lib/once.ts'
import { withPipes } from '../lib/with-pipes.ts'
import { type CellPlan, giveFilter } from './cell.ts'
import { noneBut } from './descriptors.ts'
import { confined, relayInmate } from './plans.ts'
import { firstUid, siteHere } from './probe.ts'
import type { Inmate, Site } from './walls.ts'

/** A program of the machine, and what it reads besides system libraries. */
export interface Program {
  readonly path: string
  readonly args: readonly string[]
  /** Files and folders that it may read, if they exist. */
  readonly reads: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Starts a program behind walls, to be given its input and asked for its output: no network, no files but those that it reads, no rights. Null where this machine builds no walls. */
export type StartProgram = (program: Program) => Promise<ChildProcess | null>

/** Not among those of user code: neither may signal the other. */
const uid = firstUid - 1
const connectedUid = firstUid - 2

const existing = async (path: string): Promise<readonly string[]> => access(path).then(() => [path], () => [])

/** A program whose only way out is our proxy at a socket file: its own network contains nothing else. */
export interface ConnectedProgram extends Program {
  readonly out: { readonly path: string; readonly username: string; readonly password: string }
}

/** Starts such a program; its input is used for its command. Null when this machine cannot confine processes. */
export type StartConnected = (program: ConnectedProgram) => Promise<ChildProcess | null>

/** Confinement for programs that read untrusted files; `hidden` as for user code. */
export function programWalls(hidden: readonly string[]): { readonly start: StartProgram; readonly startConnected: StartConnected; why(): Promise<string | null> } {
  const look = once(() => siteHere(hidden).catch(() => ({ why: '' })))

  async function begin(make: (site: Omit<Site, 'uid'>) => Promise<CellPlan>): Promise<ChildProcess | null> {
    const site = await look()
    if ('why' in site) return null
    const { command, filter, cwd } = await make(site)
    const [first = '', ...rest] = command
    const child = withPipes(spawn(first, rest, { env: {}, cwd, stdio: noneBut(['pipe', 'pipe', 'ignore', 'ignore', 'ignore', 'pipe']) }))
    giveFilter(child, filter)
    return child
  }

  const shownFiles = async ({ path, reads }: Program, inside: string): Promise<Inmate['files']> => {
    const shown = (await Promise.all(reads.map(existing))).flat()
    return [[await realpath(path), inside], ...shown.map((one) => [one, one] as const)] // pairs
  }
  const envOf = ({ env }: Program): Inmate['env'] => ({ PATH: '/usr/bin:/bin', HOME: '/tmp', LANG: 'C.UTF-8', ...env })

  return {
    why: async () => {
      const site = await look()
      return 'why' in site ? site.why : null
    },
    start: (program) =>
      begin(async (site) => {
        const inside = `/trawl/bin/${basename(program.path)}`
        return confined({ command: [inside, ...program.args], files: await shownFiles(program, inside), env: envOf(program) }, { ...site, uid })
      }),
    startConnected: async (program) => {
      const inside = `/trawl/program/${basename(program.path)}`
      const relay = relayInmate()
      const { path, username, password } = program.out
      const child = await begin(async (site) => confined({ command: relay.command, files: [...relay.files, ...(await shownFiles(program, inside)), [path, '/trawl/out']], env: envOf(program) }, { ...site, uid: connectedUid }, true))
      // Not as arguments, which others on this machine can read.
      child?.stdin?.on('error', () => undefined).end(JSON.stringify({ username, password, command: [inside, ...program.args] }))
      return child
    },
  }
}
