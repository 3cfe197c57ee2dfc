import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { findChromium, type FindOptions, noneHint } from './find.ts'
import { setupBrowser } from './setup.ts'

let folder = ''
let options: FindOptions

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-find-'))
  await chmod(folder, 0o755)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  options = { path: null, cdpUrl: null, cacheDir: join(folder, 'cache'), searchPath: [join(folder, 'bin')], home: join(folder, 'home') }
})

/** A program with that output and exit code. */
async function program(path: string, says: string, code = 0): Promise<string> {
  const full = join(folder, path)
  await mkdir(join(full, '..'), { recursive: true })
  await writeFile(full, `#!/bin/sh\n${says}\nexit ${code}\n`, { mode: 0o755 })
  return full
}

const version = (number: string) => `echo "Chromium ${number}"`

describe('looking for a Chromium', () => {
  it('uses the program that the operator names', async () => {
    const path = await program('own/chrome', version('150.0.1.2'))
    expect((await findChromium({ ...options, path })).found).toMatchObject({ kind: 'program', source: 'TRAWL_CHROMIUM_PATH', path, version: '150.0.1.2' })
  })

  it("uses nothing else if the operator's program does not start, and reports why", async () => {
    const path = await program('own/chrome', 'echo "error while loading shared libraries: libnss3.so" >&2', 127)
    expect(await findChromium({ ...options, path })).toEqual({ found: null, passedOver: [`TRAWL_CHROMIUM_PATH: ${path} does not start (error while loading shared libraries: libnss3.so)`] })
  })

  it("says that the operator's program is at fault, and not that there is no other", () => {
    expect([noneHint({ path: null }), noneHint({ path: '/opt/own/chrome' })]).toEqual([
      'no Chromium was found; "trawl setup browser" brings one',
      'the program of TRAWL_CHROMIUM_PATH does not start; correct that setting, or remove it to have another one searched',
    ])
  })

  it('brings no browser that would not be used beside the one that the operator names', async () => {
    const path = await program('own/chrome', 'exit 1')
    expect([await setupBrowser({ ...options, path }), await setupBrowser({ ...options, cdpUrl: 'ws://127.0.0.1:1/x' })]).toEqual([
      { found: null, steps: [expect.stringContaining(`${path} does not start`), 'TRAWL_CHROMIUM_PATH names the browser, and no other is used: remove it to have one brought.'] },
      { found: null, steps: ['TRAWL_CDP_URL names the browser, and no other is used: remove it to have one brought.'] },
    ])
  })

  it("has nothing to bring where the operator's program starts", async () => {
    const path = await program('own/chrome', version('150.0.1.2'))
    expect(await setupBrowser({ ...options, path })).toMatchObject({ found: { path }, steps: [`already there: TRAWL_CHROMIUM_PATH, ${path}`] })
  })

  it('sends nothing to a running browser before it is used', async () => {
    expect(await findChromium({ ...options, cdpUrl: 'ws://127.0.0.1:1/x' })).toEqual({ found: { kind: 'remote', source: 'TRAWL_CDP_URL', url: 'ws://127.0.0.1:1/x' }, passedOver: [] })
  })

  it('skips programs that do not start', async () => {
    const broken = await program('bin/chrome-headless-shell', 'exit 1')
    const works = await program('bin/headless_shell', version('151.0.0.1'))
    // The machine may have installed headless shells, which come first.
    const installed = new Set<string>()
    let search = await findChromium(options)
    while (search.found?.kind === 'program' && !search.found.path.startsWith(folder)) search = await findChromium(options, installed.add(search.found.path))
    expect(search).toMatchObject({ found: { path: works }, passedOver: expect.arrayContaining([expect.stringContaining(broken)]) })
  })

  it('skips programs that are known not to work', async () => {
    const path = await program('bin/headless_shell', version('150.0.1.2'))
    const { found } = await findChromium(options)
    const { found: other, passedOver } = await findChromium(options, new Set([path, ...(found?.kind === 'program' ? [found.path] : [])]))
    expect([other?.kind === 'program' ? other.path === path : false, passedOver.length > 0]).toEqual([false, true])
  }, 60_000)
})
