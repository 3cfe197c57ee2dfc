/** Installs the packages of package-lock.json if they are missing. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './run.mjs'

/** Installs the packages unless they are already installed, which needs no network; returns an exit code. */
export async function install() {
  if (installed(root)) return 0
  console.log('Installing packages (about a minute the first time) …')
  const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm']
  // Not `npm ci`: it refuses a lock file that lacks binaries of other platforms, which not every registry has. With
  // `--no-save`, the versions of the lock file apply and the file is not changed.
  const args = [...npm.slice(1), 'install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const code = await run(npm[0], args, { shell: npm[0] === 'npm' && process.platform === 'win32' })
  if (code !== 0) console.error('The packages could not be installed: see the lines above, then run the command again.')
  return code
}

/**
 * Whether `node_modules` contains what `package-lock.json` names. npm writes the list of installed packages last, so an
 * interrupted install has none. Optional packages do not count, because those for other platforms are rightly missing.
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
    // Missing or incomplete: not installed.
    return undefined
  }
}
