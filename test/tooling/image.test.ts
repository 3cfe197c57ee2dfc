import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const lines = (file: string): readonly string[] => readFileSync(join(root, file), 'utf8').split('\n')
const folder = mkdtempSync(join(tmpdir(), 'trawl-image-'))

afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the image is given all that a build needs, and takes what the build makes', () => {
  const given = lines('.dockerignore').flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))
  for (const path of given) cpSync(join(root, path), join(folder, path), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: folder, stdio: 'pipe' })
  const taken = lines('Dockerfile').flatMap((line) => (line.startsWith('COPY --from=build') ? line.split(' ').slice(2, -1) : []))
  expect(taken.map((path) => path.replace(/^\/opt\/trawl\//, '')).filter((path) => !existsSync(join(folder, path)))).toEqual([])
  const run = execFileSync(process.execPath, ['bin/trawl.js', '--version'], { cwd: folder, encoding: 'utf8' })
  expect(run.trim()).toBe(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version)
})

test('the image sets settings that exist', () => {
  const set = lines('Dockerfile').flatMap((line) => (line.startsWith('ENV ') ? [...line.matchAll(/(TRAWL_\w+)=/g)].map(([, name]) => name) : []))
  const settings = readFileSync(join(root, 'docs/config.md'), 'utf8')
  expect(set.length).toBeGreaterThan(0)
  expect(set.filter((name) => !settings.includes(`\`${name}\``))).toEqual([])
})
