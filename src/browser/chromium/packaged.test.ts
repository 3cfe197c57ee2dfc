import { chmod, mkdtemp, readdir, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findChromium } from './find.ts'
import { packagedChromium } from './packaged.ts'

const packageFits = process.platform === 'linux' && process.arch === 'x64'

it.runIf(packageFits)('the packaged Chromium is unpacked once for concurrent callers, and again if it is damaged', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-packaged-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  const cacheDir = join(folder, 'cache')
  const [first, second] = await Promise.all([packagedChromium(cacheDir), packagedChromium(cacheDir)])
  expect(first).toEqual(second)
  expect(await readdir(cacheDir)).toEqual(['chromium-147.0.0'])
  expect((await stat(cacheDir)).mode & 0o077).toBe(process.getuid?.() === 0 ? 0o011 : 0)

  const program = first?.program ?? ''
  const { size, ino } = await stat(program)
  expect((await packagedChromium(cacheDir))?.program).toBe(program)
  expect((await stat(program)).ino).toBe(ino)
  await truncate(program, 1_000)
  await packagedChromium(cacheDir)
  expect((await stat(program)).size).toBe(size)
  expect(await readdir(cacheDir)).toEqual(['chromium-147.0.0'])
  const { found } = await findChromium({ path: program, cdpUrl: null, cacheDir, searchPath: [], home: folder })
  expect(found).toMatchObject({ kind: 'program', version: '147.0.7727.0' })
}, 60_000)
