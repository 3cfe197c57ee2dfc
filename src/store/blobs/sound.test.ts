import { mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { soundFiles } from './sound.ts'

let folder = ''
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'trawl-sound-'))))
afterEach(() => rmSync(folder, { recursive: true }))
const file = (name: string): string => {
  const path = join(folder, name)
  writeFileSync(path, 'bytes')
  return path
}

it.each([
  ['other bytes of that length', (path: string) => writeFileSync(path, 'Bytes')],
  ['another file', (path: string) => renameSync(file('other'), path)],
  ['a link to itself', (path: string) => (renameSync(path, `${path}-away`), symlinkSync(`${path}-away`, path))],
  ['nothing', (path: string) => rmSync(path)],
  ['the same with another time', (path: string) => utimesSync(path, 1, 1)],
])('a file counts as sound until it is replaced by %s', (_what, change) => {
  const sound = soundFiles()
  const path = file('a')
  expect(sound.has(path)).toBe(false)
  sound.note(path)
  expect([sound.has(path), sound.has(path)]).toEqual([true, true])
  change(path)
  expect(sound.has(path)).toBe(false)
})

it('the memory of sound files is limited to the most recent ones', () => {
  const sound = soundFiles(2)
  const [a, b, c] = ['a', 'b', 'c'].map(file) as [string, string, string] // three names
  for (const path of [a, b, a, c]) sound.note(path)
  expect([a, b, c].map((path) => sound.has(path))).toEqual([true, false, true])
  rmSync(a)
  sound.note(a)
  expect(sound.has(a)).toBe(false)
  sound.forget(c)
  expect(sound.has(c)).toBe(false)
})
