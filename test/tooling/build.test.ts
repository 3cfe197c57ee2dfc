import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

/** A superuser may write everywhere: nobody builds in that case. Node itself may lie where nobody cannot read, so it changes its user when it runs. */
const asNobody = process.getuid?.() === 0 ? 'process.setgroups([]); process.setgid(65534); process.setuid(65534);' : ''

let project: string
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'trawl-build-'))
  cpSync(join(import.meta.dirname, '../../scripts/lib'), join(project, 'scripts/lib'), { recursive: true })
  for (const entry of readdirSync(project, { recursive: true, withFileTypes: true })) chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644)
  mkdirSync(join(project, 'src'))
})
afterEach(() => {
  for (const folder of ['', ...readdirSync(project)]) chmodSync(join(project, folder), 0o755)
  rmSync(project, { recursive: true, force: true })
})

/** Builds in the folder that may not be written; returns the exit code and what is said of the fault. */
async function build(): Promise<{ readonly code: unknown; readonly said: string }> {
  const script = `${asNobody} import(${JSON.stringify(join(project, 'scripts/lib/build.mjs'))}).then(({ build }) => build()).then((code) => process.exit(code))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: project, env: {}, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (said += piece))
  const [code] = await once(child, 'close')
  return { code, said }
}

it('a build where nothing may be written fails with one sentence that names the folder', async () => {
  chmodSync(project, 0o555)
  const { code, said } = await build()
  expect([code, said.replace(/\d+'\n$/, "0'\n")]).toEqual([1, `The build failed: EACCES: permission denied, mkdir '${join(project, 'dist')}.0'\n`])
  expect(readdirSync(project).sort()).toEqual(['scripts', 'src'])
})

it('a build where the previous one may not be replaced fails with one sentence, and leaves that as it is', async () => {
  mkdirSync(join(project, 'dist'))
  writeFileSync(join(project, 'dist/.sources'), 'of other sources')
  for (const folder of ['dist', '']) chmodSync(join(project, folder), 0o555)
  const { code, said } = await build()
  expect([code, said]).toEqual([1, `The build failed: EACCES: permission denied, unlink '${join(project, 'dist/.sources')}'\n`])
  expect(readdirSync(join(project, 'dist'))).toEqual(['.sources'])
})
