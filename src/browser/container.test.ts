import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { containerLoad } from './container.ts'

/** The load of a container whose kernel shows these files. */
function loadWith(files: Readonly<Record<string, string>>): number {
  const root = mkdtempSync(join(tmpdir(), 'trawl-group-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content)
  }
  return containerLoad(root)
}

it.each([
  ['by the newer interface', { 'memory.max': '1000\n', 'memory.current': '900\n', 'memory.stat': 'anon 400\ninactive_file 300\n' }, 0.6],
  ['by the older interface', { 'memory/memory.limit_in_bytes': '1000\n', 'memory/memory.usage_in_bytes': '900\n', 'memory/memory.stat': 'inactive_file 5\ntotal_inactive_file 300\n' }, 0.6],
  ['as nothing where there is no limit', { 'memory.max': 'max\n', 'memory.current': '900\n' }, 0],
  ['as nothing where the limit is beyond every machine', { 'memory/memory.limit_in_bytes': '9223372036854771712\n', 'memory/memory.usage_in_bytes': '900\n' }, 0],
  ['as nothing where there is no container', {}, 0],
])('the memory in use in a container is known %s', (_, files, load) => {
  expect(loadWith(files)).toBeCloseTo(load, 6)
})
