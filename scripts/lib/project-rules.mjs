/** Rules for the whole repository, not only `src`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lostLinks } from './links.mjs'

// The first letters are in brackets, so that this file does not match.
const machinePath = /(?:(?<![\w.\-/:])|file:\/\/)\/(?:[w]ork|[r]oot|[h]ome)\/\w/
const registryHost = /[r]egistry\.(?:npmjs|yarnpkg)\.|[n]pm\.pkg\.github\./
const resolvedAddress = /^\s*"resolved": "https?:/
/** A source file in a folder, as guides write it. */
const namedFile = /`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|mjs|py))`/g
const textFile = /(\.(ts|mts|mjs|cjs|js|json|md|ya?ml|sh|sql|txt|css|toml|html)|(^|\/)(Dockerfile|LICENSE|\.npmrc|\.gitignore|run))$/

/** @param {string} root @param {{ tracked: string[], manifest: Record<string, any> }} project */
export function checkProject(root, { tracked, manifest }) {
  return [...tracked.filter((path) => textFile.test(path) && !isPage(path)).flatMap((path) => machineTraces(root, path)), ...tracked.filter(isGuide).flatMap((path) => lostFiles(root, path, tracked)), ...lostLinks(root, tracked), ...undocumented(root, { tracked, manifest })]
}

/** Fixture pages are material: a path in one of their links is not a machine path. */
function isPage(path) {
  return path.startsWith('fixtures/') && path.endsWith('.html')
}

/** Records of decisions are left as they were written. */
function isGuide(path) {
  return path === 'README.md' || path === 'CONTRIBUTING.md' || /^docs\/[^/]+\.md$/.test(path)
}

/** Source files that a guide names and that are not there: whoever looks for a rule would look for them. */
function lostFiles(root, path, tracked) {
  return readFileSync(join(root, path), 'utf8')
    .split('\n')
    .flatMap((text, i) => [...text.matchAll(namedFile)].map(([, name]) => ({ name, line: i + 1 })))
    .filter(({ name }) => !tracked.some((one) => one === name || one.endsWith(`/${name}`)))
    .map(({ name, line }) => ({ path, line, level: 'error', rule: 'lost-file', message: `there is no ${name}` }))
}

function machineTraces(root, path) {
  const registry = ownRegistry()
  return readFileSync(join(root, path), 'utf8')
    .split('\n')
    .flatMap((text, i) => {
      const at = { path, line: i + 1, level: 'error' }
      const found = []
      if (machinePath.test(text)) found.push({ ...at, rule: 'machine-path', message: 'a path of somebody’s machine' })
      if (registryHost.test(text) || (registry !== '' && text.includes(registry)) || (path.endsWith('package-lock.json') && resolvedAddress.test(text))) {
        found.push({ ...at, rule: 'registry-host', message: 'the address of a package registry: everyone has their own' })
      }
      return found
    })
}

/** The host of the registry that this npm uses; empty if it is an IP address or too short to search for. */
function ownRegistry() {
  const hostname = /^https?:\/\/([^/:@]+)/.exec(process.env.npm_config_registry ?? '')?.[1] ?? ''
  return /^[\d.:[\]]+$|^localhost$/.test(hostname) || hostname.length < 6 ? '' : hostname
}

/** Every dependency needs a row that says its purpose and its licence. */
function undocumented(root, { tracked, manifest }) {
  const page = 'docs/dependencies.md'
  if (!tracked.includes(page)) return []
  const rows = readFileSync(join(root, page), 'utf8')
    .split('\n')
    .filter((line, i, all) => line.startsWith('|') && !/^\|[\s:|-]+$/.test(line) && !/^\|[\s:|-]+$/.test(all[i + 1] ?? ''))
    .map((line) => line.split('|')[1]?.replaceAll('`', '').trim())
  const names = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.devDependencies })
  const missing = names.filter((name) => !rows.includes(name)).map((name) => ({ rule: 'undocumented-dependency', path: page, line: 1, level: 'error', message: `${name} has no row (name, why, licence)` }))
  const stale = rows.filter((row) => row !== undefined && !names.includes(row)).map((row) => ({ rule: 'undocumented-dependency', path: page, line: 1, level: 'error', message: `${row} is not in package.json any more` }))
  return [...missing, ...stale]
}
