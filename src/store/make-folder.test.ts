import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeFolder } from './make-folder.ts'

let root = ''
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), 'trawl-folder-'))))
afterEach(() => rm(root, { recursive: true }))

describe('a folder that is needed', () => {
  it('is made with those above it, also by several at once, for its owner only', async () => {
    const path = join(root, 'a', 'b', 'c')
    await Promise.all([makeFolder(path, 0o700), makeFolder(path, 0o700), makeFolder(join(root, 'a', 'd'), 0o700)])
    for (const made of ['a', 'a/b', 'a/b/c', 'a/d']) expect((await stat(join(root, made))).mode & 0o777).toBe(0o700)
  })

  it('is left as it is if it is there, also behind a link', async () => {
    await makeFolder(join(root, 'there'), 0o755)
    await symlink(join(root, 'there'), join(root, 'link'))
    for (const name of ['there', 'link']) await makeFolder(join(root, name), 0o700)
    expect((await stat(join(root, 'link'))).mode & 0o777).toBe(0o755)
  })

  it('is refused where a file or a broken link is in the way', async () => {
    await writeFile(join(root, 'file'), '')
    await symlink(join(root, 'nothing'), join(root, 'broken'))
    await expect(makeFolder(join(root, 'file'), 0o700)).rejects.toMatchObject({ code: 'EEXIST' })
    await expect(makeFolder(join(root, 'broken'), 0o700)).rejects.toMatchObject({ code: 'EEXIST' })
    await expect(makeFolder(join(root, 'file', 'below'), 0o700)).rejects.toMatchObject({ code: 'ENOTDIR' })
  })

  it.runIf(process.platform === 'linux')('is refused at once by a file system that takes none', async () => {
    await expect(makeFolder('/proc/x/y', 0o700)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
