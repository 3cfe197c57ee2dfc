import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { containerKills, containerLoad, type Kernel } from './container.ts'

type Files = Readonly<Record<string, string>>

/** A kernel that shows these files, to a process in these groups. */
function kernelWith(files: Files, groups: string): Kernel {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-group-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const root = join(folder, 'groups')
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content)
  }
  const own = join(folder, 'own')
  writeFileSync(own, groups)
  return { own, root }
}

const newer = '0::/\n'
const older = '5:cpu,memory:/\n0::/\n'
const unit = '0::/system.slice/trawl.service\n'

/** The files of a group of the newer interface. */
const group = (at: string, used: number, max: number | 'max'): Files => ({ [`${at}memory.max`]: `${max}\n`, [`${at}memory.current`]: `${used}\n` })

it.each<[string, string, Files, number]>([
  ['by the newer interface', newer, { ...group('', 900, 1000), 'memory.stat': 'anon 400\ninactive_file 300\n' }, 0.6],
  ['by the older interface', older, { 'memory/memory.limit_in_bytes': '1000\n', 'memory/memory.usage_in_bytes': '900\n', 'memory/memory.stat': 'inactive_file 5\ntotal_inactive_file 300\n' }, 0.6],
  ['as nothing where there is no limit', newer, group('', 900, 'max'), 0],
  ['as nothing where the limit is beyond every machine', older, { 'memory/memory.limit_in_bytes': '9223372036854771712\n', 'memory/memory.usage_in_bytes': '900\n' }, 0],
  ['as nothing where there is no container', newer, {}, 0],
  ['by the limit of a unit of the process manager', unit, group('system.slice/trawl.service/', 700, 1000), 0.7],
  ['by the limit of a group around ours, where that is the tightest', unit, { ...group('system.slice/trawl.service/', 700, 'max'), ...group('system.slice/', 900, 1000), ...group('', 950, 10_000) }, 0.9],
  ['by the limit of ours, where that is the tightest', unit, { ...group('system.slice/trawl.service/', 95, 100), ...group('system.slice/', 900, 1000) }, 0.95],
  ['by the limit from which on the group is slowed down', unit, { ...group('system.slice/trawl.service/', 400, 1000), 'system.slice/trawl.service/memory.high': '500\n' }, 0.8],
  ['by the older interface, of a group below the root', '4:memory:/system.slice/trawl.service\n1:name=systemd:/\n', { 'memory/system.slice/trawl.service/memory.limit_in_bytes': '1000\n', 'memory/system.slice/trawl.service/memory.usage_in_bytes': '500\n' }, 0.5],
  ['of a container that sees its own group as the root, and its name from outside', '4:memory:/docker/1f\n', { 'memory/memory.limit_in_bytes': '1000\n', 'memory/memory.usage_in_bytes': '500\n' }, 0.5],
  ['of a process outside of the root that it sees', '0::/../../other.service\n', group('', 300, 1000), 0.3],
])('the memory in use in a container is known %s', (_, groups, files, load) => {
  expect(containerLoad(kernelWith(files, groups))).toBeCloseTo(load, 6)
})

it.each<[string, string, Files, number | null]>([
  ['those of our own group', unit, { 'system.slice/trawl.service/memory.events': 'oom 4\noom_kill 3\noom_group_kill 1\n', 'system.slice/memory.events': 'oom_kill 90\n' }, 3],
  ['those of the next group that counts, where ours does not', unit, { 'system.slice/memory.events': 'oom_kill 90\n' }, 90],
  ['those of our own group by the older interface', '4:memory:/unit\n0::/unit\n', { 'memory/unit/memory.oom_control': 'under_oom 0\noom_kill 2\n', 'memory/memory.oom_control': 'oom_kill 90\n' }, 2],
  ['unknown where no group counts', unit, {}, null],
])('the processes that the kernel has killed for want of memory are %s', (_, groups, files, kills) => {
  expect(containerKills(kernelWith(files, groups))).toBe(kills)
})
