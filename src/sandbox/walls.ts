/** What a confined process may use up. */
export interface Limits {
  /** Memory of all its processes together. */
  readonly memoryBytes: number
  readonly processes: number
  readonly files: number
  readonly fileBytes: number
  /** All that it may keep in files, which lie in memory. */
  readonly scratchBytes: number
  /** Names of files and folders in there. */
  readonly scratchFiles: number
  /** Open sockets of all its processes together. */
  readonly sockets: number
  /** Of each process, as long as it lives. */
  readonly cpuSeconds: number
}

export const limits: Limits = {
  memoryBytes: 768 * 1024 ** 2,
  processes: 64,
  files: 256,
  fileBytes: 64 * 1024 ** 2,
  scratchBytes: 64 * 1024 ** 2,
  scratchFiles: 65_536,
  sockets: 512,
  cpuSeconds: 900,
}

/** Programs that build the walls, by path. */
export interface Tools {
  readonly bwrap: string
  readonly prlimit: string
  /** Needed where the service runs as root. */
  readonly setpriv: string | null
}

/** A program and what it may see of the machine's files. */
export interface Inmate {
  /** With the paths as they are inside. */
  readonly command: readonly string[]
  /** Read-only: from where on the machine to where inside. */
  readonly files: readonly (readonly [string, string])[]
  readonly env: Readonly<Record<string, string>>
  /** What its programs map beside what they use: it counts as data all the same. */
  readonly mappedBytes?: number
}

/** Where the walls are built. */
export interface Site {
  readonly tools: Tools
  /** Whether this process is root: then the walls need no user namespace, and the inmate becomes `uid`. */
  readonly root: boolean
  readonly uid: number
  /** Folders of the machine that nobody may see even where they lie below what is shown: our own data. */
  readonly hidden: readonly string[]
}

/** The descriptor over which the filter of system calls goes in. */
export const filterDescriptor = 5

// What programs need to start. Not all of /usr: images keep their application, and with it its data, in /usr/src or /usr/local.
const system = ['/usr/bin', '/usr/lib', '/usr/lib32', '/usr/lib64', '/bin', '/lib', '/lib32', '/lib64', '/usr/share/zoneinfo', '/usr/share/nodejs', '/etc/ld.so.cache']

/** The folders above what is shown: made by themselves, nobody but their owner could pass through. */
function above(paths: readonly string[]): readonly string[] {
  const parents = paths.flatMap((path) => path.split('/').slice(1, -1).map((_, i, parts) => `/${parts.slice(0, i + 1).join('/')}`))
  return [...new Set(parents)].sort().flatMap((path) => ['--perms', '0755', '--dir', path])
}

const pairs = (flag: string, values: readonly (readonly [string, string])[]): readonly string[] => values.flatMap(([from, to]) => [flag, from, to])

/** The folders to be covered: those that lie below what the inmate is shown. */
function covered({ files }: Inmate, { hidden }: Site): readonly string[] {
  const shown = [...system, ...files.map(([, to]) => to)]
  return hidden.filter((path) => shown.some((folder) => path.startsWith(`${folder}/`)))
}

/** Becomes nobody's user and drops every right, for good. */
function dropped({ tools, root, uid }: Site): readonly string[] {
  if (!root || tools.setpriv === null) return []
  return [tools.setpriv, `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--inh-caps=-all', '--ambient-caps=-all', '--bounding-set=-all', '--no-new-privs', '--']
}

function limited({ mappedBytes = 0 }: Inmate, { tools }: Site): readonly string[] {
  const { memoryBytes, processes, files, fileBytes, cpuSeconds } = limits
  // The address space is left alone: the interpreter reserves more than it uses. Its private memory is what counts.
  return [tools.prlimit, `--data=${memoryBytes + mappedBytes}`, `--nproc=${processes}`, `--nofile=${files}`, `--fsize=${fileBytes}`, `--cpu=${cpuSeconds}`, '--core=0', '--']
}

/**
 * The command line that runs an inmate behind walls: namespaces of its own for processes, network, mounts, messages and names; a read-only
 * view of programs and libraries, and nothing else of the machine's files; no rights; its end with ours.
 */
export function walled(inmate: Inmate, site: Site): readonly string[] {
  const { tools, root } = site
  const user = root ? ['--cap-add', 'CAP_SETUID', '--cap-add', 'CAP_SETGID', '--cap-add', 'CAP_SETPCAP'] : ['--unshare-user', '--uid', '65534', '--gid', '65534']
  return [
    tools.bwrap,
    '--die-with-parent', '--new-session', '--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try', '--hostname', 'sandbox',
    '--cap-drop', 'ALL', ...user, '--clearenv',
    ...Object.entries(inmate.env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...above([...system, ...inmate.files.map(([, to]) => to)]),
    ...pairs('--ro-bind-try', system.map((path) => [path, path] as const)), // a pair
    ...pairs('--ro-bind', inmate.files),
    ...covered(inmate, site).flatMap((path) => ['--tmpfs', path, '--remount-ro', path]),
    '--proc', '/proc', '--dev', '/dev', '--remount-ro', '/dev', '--perms', '1777', '--size', String(limits.scratchBytes), '--tmpfs', '/tmp', '--remount-ro', '/',
    '--chdir', '/tmp', '--seccomp', String(filterDescriptor), '--',
    ...dropped(site),
    ...limited(inmate, site),
    ...inmate.command,
  ]
}
