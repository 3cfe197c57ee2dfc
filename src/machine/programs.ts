import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'

// Where systems put programs. PATH is not used: a program found there must not be trusted to confine others, or with what they read.
const folders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin', '/opt/homebrew/bin']

/** Whether this user can execute the file at a path. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The path of a program that is installed for all users of this machine; null when there is none of that name. */
export const systemProgram = (name: string): string | null => folders.map((folder) => join(folder, name)).find(isProgram) ?? null
