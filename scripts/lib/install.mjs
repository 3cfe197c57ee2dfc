/** Installing what package-lock.json names, when it is not there yet. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './run.mjs'

/** Installs the packages unless they are installed already; answers an exit code. Needs no network in that case. */
export async function install() {
  if (installed(root)) return 0
  console.log('Installing packages (about a minute the first time) …')
  const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm']
  // Not `npm ci`: it refuses a lock file that lacks binaries of other platforms, which not every registry carries.
  // Without saving, the versions of the lock file hold and the file stays as it is.
  const args = [...npm.slice(1), 'install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const code = await run(npm[0], args, { shell: npm[0] === 'npm' && process.platform === 'win32' })
  if (code !== 0) console.error('The packages could not be installed: see the lines above, then run the command again.')
  return code
}

/**
 * Whether `node_modules` holds what `package-lock.json` names. npm writes the list of what it installed last of all, so
 * that an install cut short has none. Packages for other platforms are missing by right, so optional ones do not count.
 */
export function installed(folder) {
  const wanted = packagesOf(join(folder, 'package-lock.json'))
  const present = packagesOf(join(folder, 'node_modules', '.package-lock.json'))
  if (wanted === undefined || present === undefined) return false
  return Object.entries(wanted).every(([path, { version, optional, link }]) => path === '' || optional === true || link === true || present[path]?.version === version)
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    // Missing or half written: not installed.
    return undefined
  }
}
