import { execFile } from 'node:child_process'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { isProgram, systemProgram } from '../machine/programs.ts'
import type { Tools } from './walls.ts'

/** The programs for confinement, or the name of one that is missing. */
export function findTools(root: boolean): Tools | { readonly missing: string } {
  const bwrap = systemProgram('bwrap')
  const prlimit = systemProgram('prlimit')
  const setpriv = systemProgram('setpriv')
  if (bwrap === null) return { missing: 'bubblewrap (package "bubblewrap")' }
  if (prlimit === null) return { missing: 'prlimit (package "util-linux")' }
  if (root && setpriv === null) return { missing: 'setpriv (package "util-linux")' }
  return { bwrap, prlimit, setpriv }
}

/** A Python that works. */
export interface Python {
  readonly path: string
  readonly version: string
  /** Folders that it reads besides the system's. */
  readonly folders: readonly string[]
  /** Where it looks for modules. */
  readonly paths: readonly string[]
  /** The version of its `playwright` package; null when it has none, or an unusable one. */
  readonly playwright: string | null
}

const oldest = [3, 8] as const
const probeMs = 10_000

// Without the user's folder and environment variables, as it will be run.
const question = `import sys, os, json, importlib.util, importlib.metadata
def playwright():
    try:
        return importlib.metadata.version('playwright') if importlib.util.find_spec('playwright') else None
    except Exception:
        return None
print(json.dumps([list(sys.version_info[:3]), os.path.realpath(sys.executable), sys.base_prefix, sys.prefix, sys.path, playwright()]))`

/** The Python at a path; null when it is none, or too old. */
async function asked(path: string): Promise<Python | null> {
  const text = await new Promise<string>((resolve) => {
    execFile(path, ['-I', '-c', question], { timeout: probeMs, killSignal: 'SIGKILL', cwd: '/', env: { PATH: '/usr/bin:/bin', HOME: '/nonexistent' } }, (error, stdout) => resolve(error === null ? stdout : 'null'))
  })
  const said = JSON.parse(text) as [number[], string, string, string, string[], string | null] | null // the output of `question`
  if (said === null) return null
  const [[major = 0, minor = 0, micro = 0], program, basePrefix, prefix, paths, playwright] = said
  if (major !== oldest[0] || minor < oldest[1]) return null
  const own = [...new Set([program, ...(basePrefix === '/usr' ? [] : [join(basePrefix, 'lib')]), ...(prefix === basePrefix ? [] : [join(prefix, 'lib')]), ...paths])]
  const folders = await Promise.all(own.filter((one) => one.startsWith('/') && !/^\/usr\/(bin|lib\w*)(\/|$)/.test(one)).map(async (one) => ((await access(one).then(() => true, () => false)) ? [one] : [])))
  return { path: program, version: `${major}.${minor}.${micro}`, folders: folders.flat(), paths: paths.filter((one) => one.startsWith('/')), playwright }
}

/** The first recent enough Python on the search path; null when there is none. */
export async function findPython(searchPath: readonly string[]): Promise<Python | null> {
  for (const folder of new Set([...searchPath, '/usr/bin', '/usr/local/bin'])) {
    const path = join(folder, 'python3')
    const found = isProgram(path) ? await asked(path) : null
    if (found !== null) return found
  }
  return null
}
