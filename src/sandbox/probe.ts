import { spawn } from 'node:child_process'
import type { SandboxLevels } from '../domain/sessions/sandbox.ts'
import { withPipes } from '../lib/with-pipes.ts'
import { type CellPlan, giveFilter } from './cell.ts'
import { noneBut } from './descriptors.ts'
import { levelsOf } from './levels.ts'
import { confined, packageInmate, probeInmate, unconfinedTry } from './plans.ts'
import { seccompFilter } from './seccomp.ts'
import { findPython, findTools, type Python } from './tools.ts'
import type { Site } from './walls.ts'

/** What this machine has for running user code. */
export interface Ground {
  /** Null when processes cannot be confined. */
  readonly site: Omit<Site, 'uid'> | null
  readonly python: Python | null
  readonly levels: SandboxLevels
}

/** The operator's decisions. */
export interface ProbeOptions {
  readonly unsafe: boolean
  readonly hidden: readonly string[]
  readonly searchPath: readonly string[]
}

/** The first of the users that confined code runs as. */
export const firstUid = 64_700
const probeMs = 15_000

/** The result of a process that was started as a test. */
interface Look {
  readonly code: number | null
  readonly said: string
  /** The last line of its error output. */
  readonly complaint: string
}

async function look({ command, filter, env, cwd }: CellPlan): Promise<Look> {
  const [program = '', ...args] = command
  return new Promise<Look>((resolve) => {
    const child = withPipes(spawn(program, args, { env, cwd, stdio: noneBut(['ignore', 'pipe', 'pipe', 'ignore', 'ignore', 'pipe']) }))
    let [said, complaint] = ['', '']
    const timer = setTimeout(() => child.kill('SIGKILL'), probeMs)
    child.stdout?.setEncoding('utf8').on('data', (text: string) => void (said += text))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => void (complaint += text))
    giveFilter(child, filter)
    child.once('error', (error) => resolve({ code: null, said: '', complaint: error.message }))
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve({ code, said, complaint: complaint.trim().split('\n').at(-1)?.slice(0, 300) || `exit code ${code}` })
    })
  }).catch((error: Error) => ({ code: null, said: '', complaint: error.message }))
}

/** Why confinement does not work; null when it does. */
async function wallsFail(site: Site): Promise<string | null> {
  const { code, said, complaint } = await look(confined(probeInmate(), site))
  return code === 0 ? breach(said, site) : complaint
}

/**
 * Tests whether a Python's `playwright` package works where its code will run, and says so in words; removes the package
 * from the Python when it does not.
 */
async function packageTried(python: Python, site: Omit<Site, 'uid'> | null): Promise<{ readonly python: Python; readonly how: string }> {
  if (python.playwright === null) return { python, how: 'no playwright package' }
  const { code, complaint } = await look(site === null ? unconfinedTry(python) : confined(packageInmate(python), { ...site, uid: firstUid }))
  return code === 0 ? { python, how: `its playwright package ${python.playwright}` } : { python: { ...python, playwright: null }, how: `its playwright package ${python.playwright} is not used, as it does not start (${complaint})` }
}

/** What the process inside could access but should not; null when everything is fine. */
function breach(said: string, { root, uid }: Site): string | null {
  const seen = JSON.parse(said) as { caps: number; filter: string; own: string; uid: number; links: readonly string[] } // the output of our own check
  if (seen.caps !== 0) return 'rights are left inside'
  if (seen.filter !== '2') return 'system calls are not filtered inside'
  if (seen.own !== '1') return 'programs inside may gain rights'
  if (seen.uid !== (root ? uid : 65_534)) return 'the user inside is not the one asked for'
  return seen.links.every((name) => name === 'lo') ? null : 'there is a network inside'
}

/** How processes can be confined on this machine, or why not. */
export async function siteHere(hidden: readonly string[]): Promise<Omit<Site, 'uid'> | { readonly why: string }> {
  if (process.platform !== 'linux') return { why: 'this system has no namespaces; only Linux does' }
  if (seccompFilter(process.arch) === null) return { why: `there is no filter of system calls for ${process.arch}` }
  const root = process.getuid?.() === 0
  const tools = findTools(root)
  if ('missing' in tools) return { why: `${tools.missing} is not installed` }
  const site = { tools, root, hidden }
  const failure = await wallsFail({ ...site, uid: firstUid })
  return failure === null ? site : { why: `this machine does not let walls be built (${failure})` }
}

/** Determines how user code can be confined on this machine. Never rejects. */
export async function probe({ unsafe, hidden, searchPath }: ProbeOptions): Promise<Ground> {
  const [site, python] = await Promise.all([siteHere(hidden).catch((error: unknown) => ({ why: String(error) })), findPython(searchPath).catch(() => null)])
  const walls = 'why' in site ? null : site
  const runs = python !== null && (walls !== null || unsafe)
  const tried = runs ? await packageTried(python, walls) : python && { python, how: '' }
  return { site: walls, python: tried?.python ?? null, levels: levelsOf(site, tried, unsafe) }
}
