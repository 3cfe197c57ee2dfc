import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findChromium, type FindOptions, source, type Source } from '../../src/browser/index.ts'
import { allowList, egress, nameResolver, ownEndpoints, tunnel } from '../../src/net/index.ts'
import { browserCall, findOptions, testPool, value } from './pool.ts'

/** A Chromium that crashes at its first `times` starts. */
async function crashing(times: number): Promise<string> {
  const { found } = await findChromium(findOptions)
  if (found?.kind !== 'program') throw new Error('These tests need a Chromium.')
  const folder = await mkdtemp(join(tmpdir(), 'trawl-starts-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  // The browser's user counts the starts there.
  await chmod(folder, 0o777)
  const path = join(folder, 'chromium')
  const starts = Array.from({ length: times }, (_, i) => `mkdir '${folder}/${i}' 2>/dev/null && kill -SEGV $$`)
  const settings = Object.entries(found.env).map(([name, value]) => `export ${name}='${value}'`)
  await writeFile(path, ['#!/bin/sh', 'case "$*" in *--version*) ;; *)', ...starts, ';; esac', ...settings, `exec '${found.path}' "$@"`, ''].join('\n'))
  await chmod(path, 0o755)
  return path
}

const used = (pool: Awaited<ReturnType<typeof testPool>>['pool']): Promise<unknown> => pool.use({ context: {} }, (page) => value(page, '6 * 7'), browserCall())

/** A source of browsers whose folders are below `parent`. */
async function starting(find: FindOptions): Promise<{ readonly from: Source; readonly parent: string }> {
  const parent = await mkdtemp(join(tmpdir(), 'trawl-users-'))
  await chmod(parent, 0o711)
  const own = ownEndpoints()
  const resolver = nameResolver({ servers: [], clock: Date })
  const proxy = await tunnel(egress({ resolver, own, allow: allowList([]) }), own)
  onTestFinished(async () => {
    await proxy.close()
    resolver.close()
    await rm(parent, { recursive: true, force: true })
  })
  return { from: source({ find, tunnel: proxy, say: () => undefined, parent }), parent }
}

it('starts Chromium again after a crash at its start', async () => {
  const { pool, said } = await testPool({ allow: [], options: { find: { ...findOptions, path: await crashing(1) } } })
  expect(await used(pool)).toBe(42)
  expect(said).toContain('browser-start-crashed')
  expect(said).not.toContain('browser-start-failed')
})

it('tries the next Chromium if one crashes at each start', async () => {
  const { pool, said } = await testPool({ allow: [], options: { find: { ...findOptions, path: await crashing(2) } } })
  expect(await used(pool)).toBe(42)
  expect(said).toContain('browser-start-failed')
})

it('tries the next Chromium for each of two starts that fail at once', async () => {
  const { from } = await starting({ ...findOptions, path: await crashing(4) })
  const browsers = await Promise.all([from.launch(), from.launch()])
  expect(browsers.map(({ browser }) => browser.isConnected())).toEqual([true, true])
  await Promise.all(browsers.map((one) => one.close()))
})

it('runs each browser of a service that is root as a user of its own', async () => {
  const { from, parent } = await starting(findOptions)
  const browsers = [await from.launch(), await from.launch()]
  onTestFinished(async () => void (await Promise.all(browsers.map((one) => one.close()))))
  const us = process.getuid?.() ?? 0
  const base = join(parent, `trawl-browsers-${us}`)
  const owners = await Promise.all((await readdir(base)).map(async (name) => (await stat(join(base, name, 'profile'))).uid))
  expect(new Set(owners).size).toBe(us === 0 ? 2 : 1)
  expect(owners.includes(us)).toBe(us !== 0)
})
