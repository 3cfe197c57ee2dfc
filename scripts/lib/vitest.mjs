/** Runs test files and counts the results. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownFolder } from './own-folder.mjs'
import { root, run } from './run.mjs'
import { testOutcome } from './summary.mjs'

/**
 * @param {{ files: readonly string[], strict: boolean, limitMs: number, config?: string, only?: boolean }} what
 *   `files`: those that must have run, from the root; `strict`: a skipped test counts as failed; `only`: no other files are run.
 * @returns {Promise<import('./summary.mjs').Outcome>}
 */
export async function vitest({ files, strict, limitMs, config, only = false }) {
  const folder = ownFolder('trawl-tests-')
  const file = join(folder, 'report.json')
  const chosen = config === undefined ? [] : ['--config', join(root, config)]
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...(only ? files : []), ...chosen, '--reporter=default', `--reporter=${join(root, 'scripts/lib/near-limit.mjs')}`, '--reporter=json', `--outputFile.json=${file}`, ...(strict ? ['--allowOnly=false'] : [])]
  // What a test that is ended leaves behind goes with the folder.
  const code = await run(process.execPath, args, { limitMs, group: true, env: { TMPDIR: folder } })
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  return testOutcome({ report, code, files, root, strict })
}
