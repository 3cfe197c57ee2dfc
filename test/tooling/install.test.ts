import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { installed } from '../../scripts/lib/install.mjs'

type Packages = Readonly<Record<string, object>>

const wanted: Packages = { '': { name: 'x' }, 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '2.0.0' }, 'node_modules/other-platform': { version: '1.0.0', optional: true } }
const present: Packages = { 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '2.0.0' } }

/** The answer for a folder with this lock file and npm's list of installed packages; either may be missing. */
function answer(lock: Packages | null, list: Packages | string | null): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'install-'))
  try {
    mkdirSync(join(folder, 'node_modules'))
    if (lock !== null) writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: lock }))
    if (list !== null) writeFileSync(join(folder, 'node_modules/.package-lock.json'), typeof list === 'string' ? list : JSON.stringify({ packages: list }))
    return installed(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

it.each([
  ['everything is there but for another platform’s package', wanted, present, true],
  ['something more is there', wanted, { ...present, 'node_modules/c': { version: '1.0.0' } }, true],
  ['a version differs', wanted, { ...present, 'node_modules/b': { version: '2.0.1' } }, false],
  ['a package is missing', wanted, { 'node_modules/a': { version: '1.0.0' } }, false],
  ['an install was cut short', wanted, null, false],
  ['the list is half written', wanted, '{"packages": {', false],
  ['there is no lock file', null, present, false],
])('whether an install is needed is known when %s', (_, lock, list, expected) => {
  expect(answer(lock, list)).toBe(expected)
})
