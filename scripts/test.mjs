#!/usr/bin/env node
/**
 * `npm test`: the first step of CI, from a bare checkout. Continues after a failure, so that all failures are
 * reported. The last line is `N passed, N failed`. With `CI=true`, a skipped test counts as failed.
 */
import '../bin/node-version.js'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { argumentsOf } from './lib/arguments.mjs'
import { build } from './lib/build.mjs'
import { install } from './lib/install.mjs'
import { root, run } from './lib/run.mjs'
import { checkOutcome, summary } from './lib/summary.mjs'
import { filesBelow } from './lib/tree.mjs'
import { vitest } from './lib/vitest.mjs'
import { installWalls } from './lib/walls.mjs'

argumentsOf('npm test; single files: npx vitest run FILE…')
const minute = 60_000
const strict = process.env.CI === 'true' || process.env.CI === '1'

/** @type {readonly (readonly [name: string, check: () => Promise<import('./lib/summary.mjs').Outcome>])[]} */
const steps = [
  ['build', async () => checkOutcome('build', await build())],
  ['types', () => check('types', ['node_modules/typescript/bin/tsc', '-p', '.'])],
  ['lint', () => check('lint', ['node_modules/oxlint/bin/oxlint', '--quiet', '--format=unix'])],
  ['borders', () => check('borders', ['scripts/check-borders.mjs'])],
  ...(namesGenerator() ? [['generated files', () => check('generated files', ['scripts/gen.mjs', '--check'])]] : []),
  ['tests', tests],
]

const outcomes = []
try {
  const code = await timed('install', () => install())
  if (code !== 0) outcomes.push(checkOutcome('install', code))
  else {
    await installWalls()
    for (const [name, step] of steps) outcomes.push(await timed(name, () => guarded(name, step)))
  }
} catch (error) {
  outcomes.push({ name: 'run', passed: 0, failed: 1, notes: [`run: ${String(error)}`] })
}
const { lines, code } = summary(outcomes)
console.log(`\n${lines.join('\n')}`)
process.exitCode = code

/** A step that throws has failed; the others still run. */
async function guarded(name, step) {
  try {
    return await step()
  } catch (error) {
    return { name, passed: 0, failed: 1, notes: [`${name}: ${String(error)}`] }
  }
}

async function timed(name, step) {
  console.log(`\n=== ${name} ===`)
  const start = performance.now()
  const result = await step()
  console.log(`--- ${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`)
  return result
}

async function check(name, args) {
  const [file, ...rest] = args
  return checkOutcome(name, await run(process.execPath, [join(root, file), ...rest], { limitMs: 3 * minute }))
}

/** If package.json has a `gen` script, its check is part of the run, even if the file is missing. */
function namesGenerator() {
  return 'gen' in JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts
}

function tests() {
  const files = ['src', 'test'].flatMap((folder) => filesBelow(root, folder)).filter((path) => path.endsWith('.test.ts'))
  // It takes ten to fifteen minutes on two cores; the limit is for a run that hangs, not for a slow machine.
  return vitest({ files, strict, limitMs: 30 * minute })
}
