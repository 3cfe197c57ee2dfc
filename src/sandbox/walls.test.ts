import { expect, it } from 'vitest'
import { seccompFilter } from './seccomp.ts'
import { limits, type Site, walled } from './walls.ts'

const tools = { bwrap: '/usr/bin/bwrap', prlimit: '/usr/bin/prlimit', setpriv: '/usr/bin/setpriv' }
const site: Site = { tools, root: true, uid: 64_800, hidden: [] }
const inmate = { command: ['/trawl/bin/node'], files: [['/usr/bin/node', '/trawl/bin/node']] as const, env: { HOME: '/tmp' } }

/** The values of a flag that may be repeated. */
const after = (words: readonly string[], flag: string): readonly string[] => words.flatMap((word, i) => (word === flag ? [words[i + 1] ?? ''] : []))

it('our data is only hidden where it would be visible', () => {
  const words = walled(inmate, { ...site, hidden: ['/usr/lib/trawl/data', '/srv/data', '/usr/library'] })
  expect(after(words, '--tmpfs')).toEqual(['/usr/lib/trawl/data', '/tmp'])
  expect(after(words, '--remount-ro')).toEqual(['/usr/lib/trawl/data', '/dev', '/'])
})

it('all capabilities are dropped and the program runs as nobody, whether started as root or as a user', () => {
  const root = walled(inmate, site)
  expect(root.slice(root.indexOf('/usr/bin/setpriv'))).toEqual(['/usr/bin/setpriv', '--reuid=64800', '--regid=64800', '--clear-groups', '--inh-caps=-all', '--ambient-caps=-all', '--bounding-set=-all', '--no-new-privs', '--', '/usr/bin/prlimit', expect.stringContaining('--data='), '--nproc=64', '--nofile=256', expect.stringContaining('--fsize='), '--cpu=900', '--core=0', '--', '/trawl/bin/node'])
  const user = walled(inmate, { ...site, root: false })
  expect([user.includes('--unshare-user'), after(user, '--cap-add'), after(user, '--uid'), user.includes('/usr/bin/setpriv')]).toEqual([true, [], ['65534'], false])
})

it('programs may map unused memory in addition to what they may use', () => {
  const dataOf = (mappedBytes: number): unknown => walled({ ...inmate, mappedBytes }, site).find((word) => word.startsWith('--data='))
  expect([dataOf(0), dataOf(1_000_000)]).toEqual([`--data=${limits.memoryBytes}`, `--data=${limits.memoryBytes + 1_000_000}`])
})

it('system calls are filtered on known architectures only', () => {
  const sizes = ['x64', 'arm64', 'riscv64'].map((arch) => (seccompFilter(arch)?.length ?? 0) % 8 === 0 && seccompFilter(arch) !== null)
  expect(sizes).toEqual([true, true, false])
  // Every jump stays inside, as the kernel requires.
  for (const arch of ['x64', 'arm64']) {
    const bytes = seccompFilter(arch) ?? Buffer.alloc(0)
    const count = bytes.length / 8
    const jumps = Array.from({ length: count }, (_, i) => i + 1 + Math.max(bytes[i * 8 + 2] ?? 0, bytes[i * 8 + 3] ?? 0))
    expect([Math.max(...jumps.slice(0, -1)) < count, bytes.readUInt16LE((count - 1) * 8)]).toEqual([true, 6])
  }
})
