/** Errors of refused calls. */
const EPERM = 1
const ENOSYS = 38
const EAFNOSUPPORT = 97

/** Numbers of the refused calls by machine: [x86_64, aarch64]; null where the machine does not have the call. */
const refused: Readonly<Record<string, readonly [number | null, number | null]>> = {
  // Other views of the file system, and ways around the given one.
  mount: [165, 40], umount2: [166, 39], pivot_root: [155, 41], chroot: [161, 51], move_mount: [429, 429], open_tree: [428, 428], fsopen: [430, 430],
  fsconfig: [431, 431], fsmount: [432, 432], fspick: [433, 433], mount_setattr: [442, 442], open_by_handle_at: [304, 265], name_to_handle_at: [303, 264],
  fanotify_init: [300, 262], fanotify_mark: [301, 263], quotactl: [179, 60], quotactl_fd: [443, 443], swapon: [167, 224], swapoff: [168, 225],
  // Access to other processes.
  ptrace: [101, 117], process_vm_readv: [310, 270], process_vm_writev: [311, 271], kcmp: [312, 272], pidfd_getfd: [438, 438], process_madvise: [440, 440],
  unshare: [272, 97], setns: [308, 268], migrate_pages: [256, 238], move_pages: [279, 239],
  // Parts of the kernel that user programs do not need, and that had vulnerabilities.
  keyctl: [250, 219], add_key: [248, 217], request_key: [249, 218], bpf: [321, 280], perf_event_open: [298, 241], userfaultfd: [323, 282],
  io_uring_setup: [425, 425], io_uring_enter: [426, 426], io_uring_register: [427, 427], kexec_load: [246, 104], kexec_file_load: [320, 294],
  init_module: [175, 105], finit_module: [313, 273], delete_module: [176, 106], vmsplice: [278, 75], personality: [135, 92], modify_ldt: [154, null],
  iopl: [172, null], ioperm: [173, null], uselib: [134, null], lookup_dcookie: [212, 18], nfsservctl: [180, 42], sysfs: [139, null],
  // The machine itself.
  reboot: [169, 142], syslog: [103, 116], acct: [163, 89], settimeofday: [164, 170], clock_settime: [227, 112], clock_adjtime: [305, 266],
  adjtimex: [159, 171], sethostname: [170, 161], setdomainname: [171, 162], vhangup: [153, 58],
  // Memory that belongs to no process, so that it would not be counted.
  memfd_create: [319, 279], memfd_secret: [447, 447], shmget: [29, 194], semget: [64, 190], msgget: [68, 186], mq_open: [240, 180],
}

interface Machine {
  /** AUDIT_ARCH of linux/audit.h. */
  readonly audit: number
  readonly column: 0 | 1
  readonly clone: number
  readonly clone3: number
  readonly socket: number
  readonly ioctl: number
}

const machines: Readonly<Record<string, Machine>> = {
  x64: { audit: 0xc000003e, column: 0, clone: 56, clone3: 435, socket: 41, ioctl: 16 },
  arm64: { audit: 0xc00000b7, column: 1, clone: 220, clone3: 435, socket: 198, ioctl: 29 },
}

interface Instruction {
  readonly code: number
  readonly yes?: number
  readonly no?: number
  readonly value: number
}

// Of linux/bpf_common.h: load a word, jump if equal / not below / any common bit, return.
const load = (offset: number): Instruction => ({ code: 0x20, value: offset })
const ifEqual = (value: number, yes: number, no: number): Instruction => ({ code: 0x15, value, yes, no })
const ifAtLeast = (value: number, yes: number, no: number): Instruction => ({ code: 0x35, value, yes, no })
const ifAnyBit = (value: number, yes: number, no: number): Instruction => ({ code: 0x45, value, yes, no })
const answer = (value: number): Instruction => ({ code: 0x06, value })

const allow = answer(0x7fff_0000)
const end = answer(0x8000_0000)
const refuse = (errno: number): Instruction => answer(0x0005_0000 | errno)

// Offsets in struct seccomp_data: call number, architecture, low halves of the first two arguments.
const callNumber = 0
const auditArch = 4
const firstArgument = 16
const secondArgument = 24

const firstX32Call = 0x4000_0000
// All CLONE_NEW* of linux/sched.h except CLONE_NEWTIME, whose bit has another meaning for `clone`.
const newNamespaces = 0x7e02_0000
const families = { unix: 1, inet: 2, inet6: 10 } as const
// TIOCSTI and TIOCLINUX inject input into the terminal.
const typing = [0x5412, 0x541c]

/** Calls that are refused depending on their arguments. Each part starts and ends with the call number loaded. */
function byArguments({ clone, clone3, socket, ioctl }: Machine, allowed: readonly number[]): readonly Instruction[] {
  return [
    // Its arguments are in memory, which a filter cannot read; libraries fall back to `clone`.
    ifEqual(clone3, 0, 1), refuse(ENOSYS),
    ifEqual(clone, 0, 4), load(firstArgument), ifAnyBit(newNamespaces, 0, 1), refuse(EPERM), allow,
    // Namespaces do not isolate all families (vsock reaches the host of a virtual machine).
    ifEqual(socket, 0, 3 + allowed.length), load(firstArgument), ...allowed.map((family, i) => ifEqual(family, allowed.length - i, 0)), refuse(EAFNOSUPPORT), allow,
    ifEqual(ioctl, 0, 4 + typing.length - 1), load(secondArgument), ...typing.map((request, i) => ifEqual(request, typing.length - 1 - i, i === typing.length - 1 ? 1 : 0)), refuse(EPERM), allow,
  ]
}

/** A filter of system calls as the kernel takes it (an array of `sock_filter`); null for a machine whose calls we do not know. `loopback`: for whom a namespace has an interface of its own and no other. */
export function seccompFilter(arch: string, loopback = false): Buffer | null {
  const machine = machines[arch]
  if (machine === undefined) return null
  const numbers = Object.values(refused).map((row) => row[machine.column]).filter((number) => number !== null)
  const program: readonly Instruction[] = [
    load(auditArch), ifEqual(machine.audit, 1, 0), end,
    load(callNumber), ifAtLeast(firstX32Call, 0, 1), refuse(EPERM),
    ...byArguments(machine, loopback ? [families.unix, families.inet, families.inet6] : [families.unix]),
    ...numbers.flatMap((number) => [ifEqual(number, 0, 1), refuse(EPERM)]),
    allow,
  ]
  const bytes = Buffer.alloc(program.length * 8)
  for (const [i, { code, yes = 0, no = 0, value }] of program.entries()) {
    // Little-endian, as both machines are.
    bytes.writeUInt16LE(code, i * 8)
    bytes.writeUInt8(yes, i * 8 + 2)
    bytes.writeUInt8(no, i * 8 + 3)
    bytes.writeUInt32LE(value >>> 0, i * 8 + 4)
  }
  return bytes
}
