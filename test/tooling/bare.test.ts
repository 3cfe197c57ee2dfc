import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../../scripts')

/** The packages that loading a script requires, including those of the modules that it imports. */
function packagesOf(file: string, seen = new Set<string>()): readonly string[] {
  if (seen.has(file)) return []
  seen.add(file)
  const imports = [...readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?:[^'"]* from )?['"]([^'"]+)['"]/gm)].map(([, from = '']) => from)
  return imports.flatMap((from) => (from.startsWith('.') ? packagesOf(join(dirname(file), from), seen) : from.startsWith('node:') ? [] : [from]))
}

test('a script that installs the packages can be loaded before they are installed', () => {
  const installing = readdirSync(folder).filter((name) => name.endsWith('.mjs') && readFileSync(join(folder, name), 'utf8').includes('./lib/install.mjs'))
  expect(installing).toEqual(expect.arrayContaining(['test.mjs', 'torture.mjs', 'up.mjs']))
  expect(Object.fromEntries(installing.map((name) => [name, packagesOf(join(folder, name))]))).toEqual(Object.fromEntries(installing.map((name) => [name, []])))
})
