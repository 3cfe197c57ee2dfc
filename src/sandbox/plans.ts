import { createRequire } from 'node:module'
import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CellPlan } from './cell.ts'
import { seccompFilter } from './seccomp.ts'
import type { Python } from './tools.ts'
import { type Inmate, type Site, walled } from './walls.ts'

// By their names, so that the build carries them along.
const nodeFile = fileURLToPath(new URL('./inside/node.mjs', import.meta.url))
const pythonFile = fileURLToPath(new URL('./inside/runner.py', import.meta.url))
const pageFile = fileURLToPath(new URL('./inside/page.py', import.meta.url))
const driver = (): string => dirname(createRequire(import.meta.url).resolve('playwright-core/package.json'))

const heapMb = 384
// Colours are for terminals; telemetry and look-ups are for nobody here.
const env = { HOME: '/tmp', TMPDIR: '/tmp', LANG: 'C.UTF-8', PATH: '/usr/bin:/bin', NO_COLOR: '1', FORCE_COLOR: '0', PYTHONUNBUFFERED: '1', PYTHONDONTWRITEBYTECODE: '1' }

/** The interpreter of `node` code, as it is inside. */
export function nodeInmate(): Inmate {
  return {
    command: ['/trawl/bin/node', `--max-old-space-size=${heapMb}`, '/trawl/node.mjs'],
    files: [[realpathSync(process.execPath), '/trawl/bin/node'], [nodeFile, '/trawl/node.mjs'], [driver(), '/trawl/node_modules/playwright-core']],
    env,
  }
}

const pythonArgs = ['-I', '-X', 'utf8', '-u']

/** The interpreter of `python` code, as it is inside. */
export function pythonInmate({ path, folders }: Python): Inmate {
  return { command: [path, ...pythonArgs, '/trawl/runner.py', '/trawl/page.py'], files: [[pythonFile, '/trawl/runner.py'], [pageFile, '/trawl/page.py'], ...folders.map((folder) => [folder, folder] as const)], env } // a pair
}

/** Checks the walls from inside: that a process starts, has no network and no rights. */
export function probeInmate(): Inmate {
  const check = "const s = require('fs').readFileSync('/proc/self/status', 'utf8'); const [, caps] = /CapEff:\\s*(\\w+)/.exec(s); const [, filter] = /Seccomp:\\s*(\\d)/.exec(s); const [, own] = /NoNewPrivs:\\s*(\\d)/.exec(s); console.log(JSON.stringify({ caps: Number('0x' + caps), filter, own, uid: process.getuid(), links: require('fs').readFileSync('/proc/net/dev', 'utf8').split('\\n').slice(2).map((l) => l.split(':')[0].trim()).filter(Boolean) }))"
  return { command: ['/trawl/bin/node', '-e', check], files: [[realpathSync(process.execPath), '/trawl/bin/node']], env }
}

/** How an inmate is started behind walls. */
export function confined(inmate: Inmate, site: Site): CellPlan {
  // Nothing of our environment: it holds secrets.
  return { command: walled(inmate, site), filter: seccompFilter(process.arch), env: {}, cwd: '/' }
}

/** How an interpreter is started without any walls, as only the operator may choose. */
export function unconfined(python: Python | null, scratch: string): CellPlan {
  const command = python === null ? [process.execPath, `--max-old-space-size=${heapMb}`, nodeFile] : [python.path, ...pythonArgs, pythonFile, pageFile]
  return { command, filter: null, env: { ...env, HOME: scratch, TMPDIR: scratch }, cwd: scratch }
}
