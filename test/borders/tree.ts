import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { checkTree, type Finding } from '../../scripts/lib/borders.mjs'

/** The files of a small project by path. */
export type Files = Readonly<Record<string, string>>

/** A project that breaks no rule, with look-alikes that a careless check would report. */
export const clean: Files = {
  'package.json': JSON.stringify({ dependencies: { fastify: '1', pg: '1', impit: '1' }, devDependencies: { vitest: '1' } }),
  'docs/dependencies.md': '| name | why | licence |\n|---|---|---|\n| `fastify` | a | MIT |\n| pg | b | MIT |\n| `impit` | c | MIT |\n| `vitest` | d | MIT |\n',
  'docs/links.md': '# All `links`\n\n## Now, *where*?\n\n## Now, where?\n\n[a](#all-links) [b](#now-where-1 "title") [c](../src/lib/text.ts) [d](../docs) [e](https://example.com/gone.md) `[f](gone.md)`\n\n```md\n[g](gone.md)\n```\n',
  'src/lib/text.ts': [
    "// import { x } from '../main/settings/config.ts'",
    "/* import '../app/use.ts' */",
    'const quoted = "import y from \'../app/use.ts\'"',
    "export const shown = `import z from '../app/use.ts' ${quoted} fetch('x')`",
    'export const found = (text: string) => /import a from "..\\/app\\/use.ts"; process.env/.test(text)',
    'export const half = (all: number) => all / 2 + 4 / all',
  ].join('\n'),
  'src/spec/table.ts': "import { half, shown } from '../lib/text.ts'\nexport const rows = { import: half(2), export: shown, fetch: 1 }\n",
  'src/domain/words.ts': [
    "import { Buffer } from 'node:buffer'",
    "import { rows } from '../spec/table.ts'",
    'export interface Word { readonly at: Date; readonly rows: typeof rows; readonly bytes: Buffer }',
    'export interface Port {\n  fetch(word: Word): Promise<Word>\n  setTimeout?: number\n}',
    'export const day = (at: number) => new Date(at).toISOString()',
  ].join('\n'),
  'src/net/index.ts': "export { dial } from './dial.ts'\n",
  'src/net/dial.ts': [
    "import { connect } from 'node:net'",
    "import { Impit } from 'impit'",
    "import type { Port } from '../domain/words.ts'",
    "import { found } from '../lib/text.ts'",
    'export const dial = (port: Port) => [connect, Impit, fetch, found, port]',
  ].join('\n'),
  'src/store/index.ts': "import { Pool } from 'pg'\nimport { dial } from '../net/index.ts'\nexport const store = [Pool, dial]\n",
  'src/app/use.ts': "import { type Port, type Word, day } from '../domain/words.ts'\nexport const use = (port: Port, word: Word) => port.fetch(word) && day(1)\n",
  'src/http/app.ts': "import { STATUS_CODES, type IncomingMessage } from 'node:http'\nimport fastify from 'fastify'\nimport { use } from '../app/use.ts'\nexport const app = (m: IncomingMessage) => [fastify, use, m, STATUS_CODES]\n",
  'src/main/settings/config.ts': 'export const config = { port: process.env.PORT }\n',
  'src/main/service.ts': "import { isIP, type AddressInfo } from 'node:net'\nimport { app } from '../http/app.ts'\nimport { store } from '../store/index.ts'\nimport { config } from './settings/config.ts'\nexport const late = await import('../net/index.ts')\nexport const service = (a: AddressInfo) => [a, isIP, app, store, config]\n",
  'src/net/dial.test.ts': "import { it } from 'vitest'\nimport { dial } from './dial.ts'\nit('reads the environment', () => [dial, process.env['X'], Date.now()])\n",
}

/** The findings of the check in a temporary project with these files. */
export function findingsIn(files: Files): readonly Finding[] {
  const root = mkdtempSync(join(tmpdir(), 'borders-'))
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    return checkTree(root)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
