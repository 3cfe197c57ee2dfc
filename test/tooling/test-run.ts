import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const runner = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
const nearLimit = fileURLToPath(new URL('../../scripts/lib/near-limit.mjs', import.meta.url))

/** How a test run ended. */
export interface TestRun {
  readonly root: string
  readonly status: number | null
  readonly output: string
  /** The JSON report; undefined if none was written. */
  readonly report: unknown
}

/** Runs the test runner over its own test files, isolated from this project's (`it` and the rest are globals there). */
export function testRun(files: Readonly<Record<string, string>>, settings: object = {}): TestRun {
  const root = mkdtempSync(join(tmpdir(), 'trawl-run-'))
  try {
    const config = { test: { globals: true, include: ['*.test.mjs'], ...settings } }
    for (const [name, text] of Object.entries({ ...files, 'vitest.config.mjs': `export default ${JSON.stringify(config)}\n` })) writeFileSync(join(root, name), text)
    const json = join(root, 'report.json')
    const { status, stdout, stderr } = spawnSync(process.execPath, [runner, 'run', '--root', root, '--reporter=default', `--reporter=${nearLimit}`, '--reporter=json', `--outputFile.json=${json}`], { encoding: 'utf8', cwd: root })
    return { root, status, output: stdout + stderr, report: existsSync(json) ? JSON.parse(readFileSync(json, 'utf8')) : undefined }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
