import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const numberIn = (path: string): number => {
  try {
    return Number(readFileSync(path, 'latin1').trim())
  } catch {
    // There is no such control group.
    return Number.NaN
  }
}

/** Where the kernel tells of the memory of a container, in both of its interfaces. */
const groups = [
  { folder: '', limit: 'memory.max', used: 'memory.current', reclaimable: /^inactive_file (\d+)$/m },
  { folder: 'memory', limit: 'memory.limit_in_bytes', used: 'memory.usage_in_bytes', reclaimable: /^total_inactive_file (\d+)$/m },
] as const // `const`: as they are

function reclaimable(path: string, line: RegExp): number {
  try {
    return Number(line.exec(readFileSync(path, 'latin1'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** Share of the memory of the container in use; 0 outside of one, or where it has no limit. */
export function containerLoad(root = '/sys/fs/cgroup'): number {
  const loads = groups.map(({ folder, limit, used, reclaimable: line }) => {
    const at = join(root, folder)
    const share = (numberIn(join(at, used)) - reclaimable(join(at, 'memory.stat'), line)) / numberIn(join(at, limit))
    return Number.isFinite(share) ? share : 0
  })
  return Math.max(...loads)
}
