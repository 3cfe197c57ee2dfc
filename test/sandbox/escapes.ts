/** Calls a system call by its number (x86-64) and returns the result and the error number. */
const call = (number: number, ...values: readonly number[]): string => `(lambda c: [c.CDLL(None, use_errno=True).syscall(${[number, ...values, 0, 0, 0, 0].join(', ')}), c.get_errno()])(__import__('ctypes'))`
const refused = /^\[-1, 1\]$/
const missing = /FileNotFoundError/
const forbidden = /PermissionError|FileNotFoundError|Read-only/
const unsupported = /OSError|PermissionError/
const connecting = (family: string, address: string): string => `(lambda s: s.socket(s.${family}).connect(${address}))(__import__('socket'))`

/**
 * What confined code tries, as Python expressions, and the results that are allowed: for Python code, and for programs
 * that other code starts.
 */
export const escapes: readonly (readonly [string, string, RegExp])[] = [
  ['the memory of the machine', "open('/proc/kcore', 'rb').read(1)", forbidden],
  ['the memory of the machine as a device', "open('/dev/mem', 'rb')", missing],
  ['the log of the kernel', "open('/dev/kmsg')", missing],
  ['the keys of the kernel', "open('/proc/sysrq-trigger', 'w')", forbidden],
  ['the program that is started for a crash', "open('/proc/sys/kernel/core_pattern', 'w')", forbidden],
  ['what the kernel tells of devices', "__import__('os').listdir('/sys')", missing],
  ['a disk under a name of its own', "__import__('os').mknod('/tmp/disk', 0o60660, 2048)", /PermissionError/],
  ['another root', "__import__('os').chroot('/tmp')", /PermissionError/],
  ['a group of its choice', "__import__('os').setgid(0)", /PermissionError/],
  ['groups of its choice', "__import__('os').setgroups([0])", /PermissionError/],
  ['the addresses of clouds', connecting('AF_INET', "('169.254.169.254', 80)"), unsupported],
  ['loopback in the newer protocol', connecting('AF_INET6', "('::1', 80)"), unsupported],
  ['the settings of the network', "__import__('socket').socket(16, 3)", unsupported],
  ['the line of a container engine', connecting('AF_UNIX', "'/run/docker.sock'"), missing],
  ['a line without a file', connecting('AF_UNIX', String.raw`'\0/tmp/.X11-unix/X0'`), /ConnectionRefusedError/],
  ['connections of the machine', "len(open('/proc/net/tcp').read().splitlines())", /^1$|FileNotFoundError/],
  ['the name of the machine', "__import__('socket').gethostname()", /^sandbox$/],
  ['a program of the system under another name', "__import__('os').link('/usr/bin/env', '/tmp/env')", unsupported],
  ['a way above its limits', "(lambda r: r.setrlimit(r.RLIMIT_NPROC, (9999, 9999)))(__import__('resource'))", /ValueError|PermissionError/],
  ['a place before others', "__import__('os').nice(-5)", /PermissionError/],
  ['the keys of others', call(250), refused],
  ['programs in the kernel', call(321), refused],
  ['counters of the processor', call(298), refused],
  ['faults of pages', call(323), refused],
  ['rings of the kernel', call(425, 1), refused],
  ['descriptors of others', call(438), refused],
  ['the memory of others', call(310), refused],
  ['files by their number', call(304), refused],
  ['a file system of its own', call(430), refused],
  ['a copy of what is mounted', call(428), refused],
  ['memory that nobody is charged for', call(29), refused],
  ['another machine to be', call(135), refused],
  ['memory on a disk', call(167), refused],
  ['an end of the machine', call(169), refused],
  ['a child in a namespace of its own', call(56, 0x1000_0000), refused],
  ['a child in a namespace of its own, the newer way', call(435), /^\[-1, 38\]$/],
  ['words in the mouth of a terminal', "__import__('fcntl').ioctl(0, 0x5412, b'x')", unsupported],
]
