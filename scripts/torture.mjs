#!/usr/bin/env node
/**
 * `npm run torture`: kills the service at every commit of a crawl and at random moments, on both stores, and checks
 * what is left (`--stores`); runs the tests that are too slow for `npm test` (`--slow`); and visits hundreds of hostile
 * pages and opens sessions by the dozen. With options, only those parts run; CI uses both options. The last line is `N
 * passed, N failed`.
 */
import '../bin/node-version.js'
import { argumentsOf } from './lib/arguments.mjs'
import { build } from './lib/build.mjs'
import { install } from './lib/install.mjs'
import { root } from './lib/run.mjs'
import { checkOutcome, summary } from './lib/summary.mjs'
import { filesBelow } from './lib/tree.mjs'
import { vitest } from './lib/vitest.mjs'
import { installSearx, installWalls } from './lib/walls.mjs'

const minute = 60_000
/** As in vitest.torture.config.ts. */
const slow = [...filesBelow(root, 'test').filter((path) => path.endsWith('.slow.ts')), 'src/engines/browser.test.ts', 'src/browser/device/device.test.ts', 'test/browser/egress.test.ts']
const torture = filesBelow(root, 'test').filter((path) => path.endsWith('.torture.ts'))
const stores = torture.filter((path) => /^test\/torture\/(?:embedded|postgres)\./.test(path))
const { values: asked } = argumentsOf('npm run torture -- [--slow] [--stores]', { options: { slow: { type: 'boolean' }, stores: { type: 'boolean' } } })
const parts = [...(asked.stores === true ? [stores] : []), ...(asked.slow === true ? [slow] : [])]
const files = parts.length > 0 ? parts.flat() : [...torture, ...slow]
// CI has an hour and a half for this and for `npm test`, which takes up to 15 minutes. Half an hour was almost used up
// on a slow machine.
const limitMs = (asked.slow === true ? 50 : 60) * minute

async function outcome() {
  const installed = await install()
  if (installed !== 0) return checkOutcome('install', installed)
  await installWalls()
  await installSearx()
  const built = await build()
  if (built !== 0) return checkOutcome('build', built)
  return vitest({ files, strict: true, limitMs, config: 'vitest.torture.config.ts', only: true })
}

const { lines, code } = summary([await outcome()])
console.log(`\n${lines.join('\n')}`)
process.exitCode = code
