#!/usr/bin/env node
/** Compiles `walk.wat`, which evaluates the trees, into the module that contains it. */
import { readFileSync, writeFileSync } from 'node:fs'
import wabt from 'wabt'
import { argumentsOf } from './lib/arguments.mjs'

const folder = new URL('../src/content/main-content/learned/trees/', import.meta.url)

/** Compiles `walk.wat` and returns its bytes. */
export async function compiled() {
  const { parseWat } = await wabt()
  return parseWat('walk.wat', readFileSync(new URL('walk.wat', folder), 'utf8'), { simd: true, bulk_memory: true }).toBinary({}).buffer
}

if (process.argv[1] === import.meta.filename) {
  argumentsOf('npm run gen:walk')
  const code = Buffer.from(await compiled()).toString('base64')
  writeFileSync(new URL('walk-code.ts', folder), `/** \`walk.wat\`, compiled by \`npm run gen:walk\`. */\nexport const code =\n  '${code}'\n`)
}
