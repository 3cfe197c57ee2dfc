/** A folder for temporary files. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endInOrder } from './run.mjs'

const folders = new Set()

/** Something that has not ended yet may still write there. What cannot be removed must not cost the result of the run. */
function remove() {
  for (const folder of folders) {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    } catch {
      continue
    }
  }
}

/** Makes a folder that is gone when this process has ended, also by Ctrl-C or SIGTERM. @param {string} prefix */
export function ownFolder(prefix) {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  // As in the folder that it stands for, users without rights have files in it: browsers, databases.
  chmodSync(folder, 0o1777)
  if (folders.size === 0) process.once('exit', remove)
  folders.add(folder)
  endInOrder()
  return folder
}
