import { access, constants, readFile } from 'node:fs/promises'

/** How Chromium is started: the words before its own command line. */
export interface Confinement {
  readonly name: string
  readonly command: readonly string[]
  /** The unprivileged user that it runs as; null for our own user. */
  readonly uid: number | null
}

// In a range that systemd reserves for users without an account: nobody else's files or processes belong to it.
const firstUid = 64_900
const lastUid = 64_999

async function tool(name: string): Promise<string | null> {
  for (const folder of ['/usr/bin', '/bin', '/usr/sbin', '/sbin']) {
    const path = `${folder}/${name}`
    const there = await access(path, constants.X_OK).then(() => true, () => false)
    if (there) return path
  }
  return null
}

async function freeUid(): Promise<number> {
  const accounts = await readFile('/etc/passwd', 'latin1').catch(() => '')
  const taken = new Set(accounts.split('\n').map((line) => Number(line.split(':')[2])))
  for (let uid = firstUid; uid <= lastUid; uid++) if (!taken.has(uid)) return uid
  return lastUid
}

/**
 * The ways to start Chromium, safest first. When the service runs as root, Chromium runs as root only if no other way
 * works: its own sandbox refuses root, and an exploit in a page should gain an unprivileged user at most. `setpriv` also
 * makes the kernel kill Chromium when this process dies (R13); without it the closed pipe does.
 */
export async function confinements(uid: number | undefined = process.getuid?.()): Promise<readonly Confinement[]> {
  const setpriv = await tool('setpriv')
  const plain: Confinement = { name: uid === 0 ? 'as root' : 'as this user', command: [], uid: null }
  if (uid !== 0) return setpriv === null ? [plain] : [{ name: 'as this user', command: [setpriv, '--pdeathsig', 'KILL', '--'], uid: null }, plain]
  const other = await freeUid()
  const chroot = await tool('chroot')
  return [
    ...(setpriv === null ? [] : [{ name: 'as an unprivileged user', command: [setpriv, '--reuid', `${other}`, '--regid', `${other}`, '--clear-groups', '--pdeathsig', 'KILL', '--'], uid: other }]),
    ...(chroot === null ? [] : [{ name: 'as an unprivileged user', command: [chroot, `--userspec=${other}:${other}`, '--groups=', '/'], uid: other }]),
    plain,
  ]
}
