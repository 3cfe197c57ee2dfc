import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const { refusal } = createRequire(import.meta.url)('../../bin/node-version.js') as { refusal(version: string): string | null } // the exports of that file
const { engines } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as { readonly engines: { readonly node: string } } // ours

it.each(['12.22.12', '18.20.8', '20.18.3'])('refuses Node %s in one sentence', (version) => expect(refusal(version)).toBe(`Trawl needs Node ${engines.node.replace('>=', '')} or newer; this is Node ${version}.`))

it.each(['20.19.0', '20.20.2', '22.0.0', '26.1.0'])('takes Node %s', (version) => expect(refusal(version)).toBe(null))
