/** System programs that tests need and npm cannot install. */
import { existsSync } from 'node:fs'
import { run } from './run.mjs'

const minute = 60_000
const there = (program) => ['/usr/bin', '/bin', '/usr/local/bin'].some((folder) => existsSync(`${folder}/${program}`))

async function bring(name, program) {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || there(program) || !there('apt-get')) return
  const install = ['install', '-y', '--no-install-recommends', name]
  if ((await run('apt-get', install, { limitMs: 3 * minute })) === 0) return
  await run('apt-get', ['update'], { limitMs: 3 * minute })
  await run('apt-get', install, { limitMs: 3 * minute })
}

/**
 * Installs bubblewrap, which confines users' code, if it is missing and the system allows it; otherwise the tests that
 * need it say so.
 */
export const installWalls = () => bring('bubblewrap', 'bwrap')

/** Installs searx, which search tests use, in the same way. */
export const installSearx = () => bring('searx', 'searx-run')
