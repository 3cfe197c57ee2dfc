import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode, missing } from './blobs/file-errors.ts'

/**
 * Makes a folder, and those above it that are missing; one that is there is left as it is. Throws what the file system
 * says. Node's own recursion never ends where a file system takes no folders and calls them missing, as `/proc` does.
 */
export async function makeFolder(path: string, mode: number): Promise<void> {
  const make = (): Promise<unknown> =>
    mkdir(path, mode).catch(async (error: unknown) => {
      const there = hasCode(error, 'EEXIST') && (await stat(path).catch(missing))
      if (!there || !there.isDirectory()) throw error
    })
  await make().catch(async (error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error
    await makeFolder(dirname(path), mode)
    await make()
  })
}
