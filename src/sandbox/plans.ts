import { createRequire } from 'node:module'
import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CellPlan } from './cell.ts'
import { seccompFilter } from './seccomp.ts'
import type { Python } from './tools.ts'
import { type Inmate, type Site, walled } from './walls.ts'

// By literal names, so that the build copies them.
const nodeFile = fileURLToPath(new URL('./inside/node.mjs', import.meta.url))
const pythonFile = fileURLToPath(new URL('./inside/runner.py', import.meta.url))
const pageFolder = fileURLToPath(new URL('./inside/page/', import.meta.url))
const packageFile = fileURLToPath(new URL('./inside/package.py', import.meta.url))
const preloadFile = fileURLToPath(new URL('./inside/driver.cjs', import.meta.url))
const relayFile = fileURLToPath(new URL('./inside/way-out.mjs', import.meta.url))
const driver = (): string => dirname(createRequire(import.meta.url).resolve('playwright-core/package.json'))

const heapMb = 384
/** V8 in Node 24 maps this much writable memory for code when it starts, whether it needs it or not. */
const codeBytes = 512 * 1024 ** 2
// Colours are for terminals; telemetry and update checks are useless here.
const env = { HOME: '/tmp', TMPDIR: '/tmp', LANG: 'C.UTF-8', PATH: '/usr/bin:/bin', NO_COLOR: '1', FORCE_COLOR: '0', PYTHONUNBUFFERED: '1', PYTHONDONTWRITEBYTECODE: '1' }

/** The interpreter of `node` code, with paths inside the confinement. */
export function nodeInmate(): Inmate {
  return {
    command: ['/trawl/bin/node', `--max-old-space-size=${heapMb}`, '/trawl/node.mjs'],
    files: [[realpathSync(process.execPath), '/trawl/bin/node'], [nodeFile, '/trawl/node.mjs'], [driver(), '/trawl/node_modules/playwright-core']],
    env,
    mappedBytes: codeBytes,
  }
}

const pythonArgs = ['-I', '-X', 'utf8', '-u']

interface PythonFiles {
  readonly runner: string
  /** A folder. */
  readonly page: string
  readonly package: string
  readonly preload: string
}

const pythonInside: PythonFiles = { runner: '/trawl/runner.py', page: '/trawl/page', package: '/trawl/package.py', preload: '/trawl/driver.cjs' }
const pythonHere: PythonFiles = { runner: pythonFile, page: pageFolder, package: packageFile, preload: preloadFile }

/** The command of the `python` interpreter; `what` is appended to its arguments. */
function pythonCommand({ path, paths, playwright }: Python, files: PythonFiles, what: readonly string[] = []): readonly string[] {
  const parts = { page: files.page, package: playwright === null ? null : files.package, preload: files.preload, paths }
  return [path, ...pythonArgs, files.runner, JSON.stringify(parts), ...what]
}

/** The interpreter of `python` code, with paths inside the confinement. */
export function pythonInmate(python: Python, what: readonly string[] = []): Inmate {
  const ours = (['runner', 'page', 'package', 'preload'] as const).map((name) => [pythonHere[name], pythonInside[name]] as const) // a pair
  return { command: pythonCommand(python, pythonInside, what), files: [...ours, ...python.folders.map((folder) => [folder, folder] as const)], env, mappedBytes: python.playwright === null ? 0 : codeBytes } // a pair
}

/** Tests the `playwright` package inside the confinement: whether its driver starts. */
export const packageInmate = (python: Python): Inmate => pythonInmate(python, ['try'])

/** Tests the confinement from inside: a process starts, and has no network and no capabilities. */
export function probeInmate(): Inmate {
  const check = "const s = require('fs').readFileSync('/proc/self/status', 'utf8'); const [, caps] = /CapEff:\\s*(\\w+)/.exec(s); const [, filter] = /Seccomp:\\s*(\\d)/.exec(s); const [, own] = /NoNewPrivs:\\s*(\\d)/.exec(s); console.log(JSON.stringify({ caps: Number('0x' + caps), filter, own, uid: process.getuid(), links: require('fs').readFileSync('/proc/net/dev', 'utf8').split('\\n').slice(2).map((l) => l.split(':')[0].trim()).filter(Boolean) }))"
  return { command: ['/trawl/bin/node', '-e', check], files: [[realpathSync(process.execPath), '/trawl/bin/node']], env }
}

/** The plan for a confined program. `loopback` lets it use internet sockets within its own network namespace. */
export function confined(inmate: Inmate, site: Site, loopback = false): CellPlan {
  // Nothing of our environment, which contains secrets.
  return { command: walled(inmate, site), filter: seccompFilter(process.arch, loopback), env: {}, cwd: '/' }
}

/** Programs that start with a relay to their proxy; the relay gets the program's command on its input. */
export function relayInmate(): Pick<Inmate, 'command' | 'files'> {
  return { command: ['/trawl/bin/node', '/trawl/way-out.mjs'], files: [[realpathSync(process.execPath), '/trawl/bin/node'], [relayFile, '/trawl/way-out.mjs']] }
}

/** The same test without confinement. */
export function unconfinedTry(python: Python): CellPlan {
  return { command: pythonCommand(python, pythonHere, ['try']), filter: null, env: { ...env, HOME: '/tmp' }, cwd: '/' }
}

/** The plan for an unconfined interpreter, which only the operator may choose. */
export function unconfined(python: Python | null, scratch: string): CellPlan {
  const command = python === null ? [process.execPath, `--max-old-space-size=${heapMb}`, nodeFile] : pythonCommand(python, pythonHere)
  return { command, filter: null, env: { ...env, HOME: scratch, TMPDIR: scratch }, cwd: scratch }
}
