/** Lets V8 compile at the build what every start would otherwise compile again (docs/adr/0022). */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './run.mjs'

const limitMs = 20_000

/** Detecting programs of the machine takes time and is not what is compiled. */
const settings = { TRAWL_WARM_UP: 'off', TRAWL_FILTER_LISTS: 'off', TRAWL_OCR: 'off', TRAWL_MEDIA_EXTRACTOR: 'off', TRAWL_CHROMIUM_PATH: '/none' }

/**
 * Writes V8's code cache into a build folder; returns whether that worked. Without it, a service only starts more
 * slowly.
 */
export async function precompile(folder) {
  // Inside the build folder, so that it is deleted with an interrupted build.
  const data = mkdtempSync(join(folder, 'data-'))
  try {
    // Without the caller's environment: its settings could lead to a real store, and its Node flags are not those of a
    // start.
    const env = { PATH: process.env.PATH, ...settings, TRAWL_DATA_DIR: data }
    const compile = () => promisify(execFile)(process.execPath, [join(root, 'scripts/lib/precompile-run.mjs'), folder], { cwd: data, env, timeout: limitMs, killSignal: 'SIGKILL' })
    // A port that was free a moment ago may be taken by now.
    await compile().catch((error) => (/is in use/.test(error.stderr) ? compile() : Promise.reject(error)))
    return true
  } catch (error) {
    console.error(`Starts will take longer, since nothing was compiled for them: ${reasonOf(error)}`)
    return false
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

/** The reason of a failure in one line. */
function reasonOf(error) {
  if (error.killed === true) return `it took more than ${limitMs / 1000} s`
  const lines = String(error.stderr || error.message).split('\n')
  return lines.find((line) => /Error\b/.test(line)) ?? lines[0]
}
