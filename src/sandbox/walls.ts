/** Limits of a confined process. */
export interface Limits {
  /** Memory of all its processes together. */
  readonly memoryBytes: number
  readonly processes: number
  readonly files: number
  readonly fileBytes: number
  /** Size of all its files, which are kept in memory. */
  readonly scratchBytes: number
  /** Number of its files and folders. */
  readonly scratchFiles: number
  /** Open sockets of all its processes together. */
  readonly sockets: number
  /** Processor time of each process over its lifetime. */
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

/** Paths of the programs used for confinement. */
export interface Tools {
  readonly bwrap: string
  readonly prlimit: string
  /** Needed when the service runs as root. */
  readonly setpriv: string | null
}

/** A program, and what it may see of the machine's files. */
export interface Inmate {
  /** With the paths inside the confinement. */
  readonly command: readonly string[]
  /** Read-only mounts: path on the machine, path inside. */
  readonly files: readonly (readonly [string, string])[]
  readonly env: Readonly<Record<string, string>>
  /** Memory that its programs map without using it: it counts as data all the same. */
  readonly mappedBytes?: number
}

/** Where the confinement is built. */
export interface Site {
  readonly tools: Tools
  /** Whether this process is root: then no user namespace is needed, and the inmate runs as `uid`. */
  readonly root: boolean
  readonly uid: number
  /** Folders that nobody may see, even below a visible folder: our own data. */
  readonly hidden: readonly string[]
}

/** The descriptor for the filter of system calls. */
export const filterDescriptor = 5

// What programs need to start. Not all of /usr: images keep their application and its data in /usr/src or /usr/local.
const system = ['/usr/bin', '/usr/lib', '/usr/lib32', '/usr/lib64', '/bin', '/lib', '/lib32', '/lib64', '/usr/share/zoneinfo', '/usr/share/nodejs', '/etc/ld.so.cache']

/** The parents of visible folders: created implicitly, only their owner could traverse them. */
function above(paths: readonly string[]): readonly string[] {
  const parents = paths.flatMap((path) => path.split('/').slice(1, -1).map((_, i, parts) => `/${parts.slice(0, i + 1).join('/')}`))
  return [...new Set(parents)].sort().flatMap((path) => ['--perms', '0755', '--dir', path])
}

const pairs = (flag: string, values: readonly (readonly [string, string])[]): readonly string[] => values.flatMap(([from, to]) => [flag, from, to])

/** The hidden folders that are below a visible one. */
function covered({ files }: Inmate, { hidden }: Site): readonly string[] {
  const shown = [...system, ...files.map(([, to]) => to)]
  return hidden.filter((path) => shown.some((folder) => path.startsWith(`${folder}/`)))
}

/** Switches to an unprivileged user and drops all capabilities for good. */
function dropped({ tools, root, uid }: Site): readonly string[] {
  if (!root || tools.setpriv === null) return []
  return [tools.setpriv, `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--inh-caps=-all', '--ambient-caps=-all', '--bounding-set=-all', '--no-new-privs', '--']
}

function limited({ mappedBytes = 0 }: Inmate, { tools }: Site): readonly string[] {
  const { memoryBytes, processes, files, fileBytes, cpuSeconds } = limits
  // The address space is not limited, because the interpreter reserves more than it uses; its private memory is.
  return [tools.prlimit, `--data=${memoryBytes + mappedBytes}`, `--nproc=${processes}`, `--nofile=${files}`, `--fsize=${fileBytes}`, `--cpu=${cpuSeconds}`, '--core=0', '--']
}

/**
 * The command line that runs an inmate confined: its own namespaces for processes, network, mounts, IPC and host name; a
 * read-only view of programs and libraries, and nothing else of the machine's files; no capabilities; killed together with
 * us.
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
