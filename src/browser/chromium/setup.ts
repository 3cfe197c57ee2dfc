import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { findChromium, type FindOptions, type FoundProgram } from './find.ts'

/** The result of setting up a browser. */
export interface Setup {
  /** The Chromium that works now; null when none could be installed. */
  readonly found: FoundProgram | null
  /** What was tried, one sentence each. */
  readonly steps: readonly string[]
}

const minuteMs = 60_000

interface Step {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
}

/** Runs a step to its end; null on success, otherwise its last output. */
function run({ command, args }: Step): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(command, args, { timeout: 10 * minuteMs, killSignal: 'SIGKILL', maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const lines = `${stdout}\n${stderr}`.trim().split('\n')
      const said = (lines.findLast((line) => /error|fail|unable/i.test(line)) ?? lines.at(-1) ?? '').trim().slice(0, 300)
      resolve(error === null ? null : said === '' ? 'it ended without a word' : said)
    })
  })
}

const debianPackage = 'chromium-headless-shell'

/** The ways to get a Chromium on this machine, with the steps of each. */
function ways(): readonly { readonly name: string; readonly steps: readonly Step[] }[] {
  const apt = (...args: string[]): Step => ({ name: `apt-get ${args[0]}`, command: 'env', args: ['DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', '-y', ...args] })
  const driver = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js')
  const download: Step = { name: 'download', command: process.execPath, args: [driver, 'install', '--only-shell', 'chromium'] }
  const packages = { name: `the system's package ${debianPackage}`, steps: [apt('update'), apt('install', '--no-install-recommends', debianPackage)] }
  const downloader = { name: "Playwright's download", steps: [download] }
  return process.getuid?.() === 0 && process.platform === 'linux' ? [packages, downloader] : [downloader]
}

/** What a person can do when nothing worked. */
const advice = 'Install a Chromium by hand (Debian: apt-get install chromium-headless-shell) and name it in TRAWL_CHROMIUM_PATH, or run an npm install that does not leave out optional packages.'

/**
 * Installs a Chromium when none works yet: the system's package as root, otherwise the driver's own download. Never throws
 * for a way that fails; the steps say what happened. Brings nothing beside the browser that the operator named in settings.
 */
export async function setupBrowser(options: FindOptions): Promise<Setup> {
  const steps: string[] = []
  const { found: before, passedOver } = await findChromium(options)
  if (before?.kind === 'program') return { found: before, steps: [`already there: ${before.source}, ${before.path}`] }
  const named = options.cdpUrl !== null ? 'TRAWL_CDP_URL' : options.path !== null ? 'TRAWL_CHROMIUM_PATH' : null
  if (named !== null) return { found: null, steps: [...passedOver, `${named} names the browser, and no other is used: remove it to have one brought.`] }
  for (const way of ways()) {
    const failure = await follow(way.steps)
    steps.push(failure === null ? `${way.name}: done` : `${way.name}: ${failure}`)
    const found = failure === null ? await working(options) : null
    if (found !== null) return { found, steps }
  }
  return { found: null, steps: [...steps, advice] }
}

/** Runs the steps of a way, up to the first failure. */
async function follow(steps: readonly Step[]): Promise<string | null> {
  for (const step of steps) {
    const failure = await run(step)
    if (failure !== null) return `${step.name} failed: ${failure}`
  }
  return null
}

async function working(options: FindOptions): Promise<FoundProgram | null> {
  const { found } = await findChromium(options)
  return found?.kind === 'program' ? found : null
}
