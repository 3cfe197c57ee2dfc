import { readFile } from 'node:fs/promises'
import { systemProgram } from '../../machine/programs.ts'

/** How Chromium is started. */
export interface Confinement {
  readonly name: string
  /** The unprivileged users that it may run as, one for each browser; none: it runs as our own user. */
  readonly users: readonly number[]
  /** The words before its own command line; `user` is one of `users`, or null where there are none. */
  command(user: number | null): readonly string[]
}

// In a range that systemd reserves for users without an account: nobody else's files or processes belong to it.
const firstUid = 64_900
const lastUid = 64_999

async function freeUsers(): Promise<readonly number[]> {
  const accounts = await readFile('/etc/passwd', 'latin1').catch(() => '')
  const taken = new Set(accounts.split('\n').map((line) => Number(line.split(':')[2])))
  const free = Array.from({ length: lastUid - firstUid + 1 }, (_, i) => firstUid + i).filter((uid) => !taken.has(uid))
  return free.length === 0 ? [lastUid] : free
}

/**
 * The ways to start Chromium, safest first. When the service runs as root, Chromium runs as root only if no other way
 * works: its own sandbox refuses root, and an exploit in a page should gain an unprivileged user at most, who can neither
 * read nor signal the browsers of other teams. `setpriv` also makes the kernel kill Chromium when this process dies (R13); without it the closed pipe does.
 */
export async function confinements(uid: number | undefined = process.getuid?.()): Promise<readonly Confinement[]> {
  const setpriv = systemProgram('setpriv')
  const plain: Confinement = { name: uid === 0 ? 'as root' : 'as this user', users: [], command: () => [] }
  if (uid !== 0) return setpriv === null ? [plain] : [{ name: 'as this user', users: [], command: () => [setpriv, '--pdeathsig', 'KILL', '--'] }, plain]
  const other = { name: 'as an unprivileged user', users: await freeUsers() }
  const chroot = systemProgram('chroot')
  return [
    ...(setpriv === null ? [] : [{ ...other, command: (user: number | null) => [setpriv, '--reuid', `${user}`, '--regid', `${user}`, '--clear-groups', '--pdeathsig', 'KILL', '--'] }]),
    ...(chroot === null ? [] : [{ ...other, command: (user: number | null) => [chroot, `--userspec=${user}:${user}`, '--groups=', '/'] }]),
    plain,
  ]
}
