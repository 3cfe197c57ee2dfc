import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folders of the browsers of services whose temporary folder is `parent`. */
export function browserFolders(parent: string): readonly string[] {
  const base = join(parent, `trawl-browsers-${process.getuid?.() ?? 0}`)
  return existsSync(base) ? readdirSync(base).map((name) => join(base, name)) : []
}

/** The process groups of these browsers. */
export const groupsOf = (folders: readonly string[]): readonly string[] => folders.map((folder) => join(folder, 'pid')).filter(existsSync).map((file) => readFileSync(file, 'latin1').trim())

/** A file of each process of the machine, by pid; empty for one that has ended meanwhile. */
function ofEach(file: string): readonly (readonly [pid: string, text: string])[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map((pid) => {
    try {
      return [pid, readFileSync(`/proc/${pid}/${file}`, 'latin1')] as const // `const`: a pair
    } catch {
      return [pid, ''] as const // `const`: a pair
    }
  })
}

/** The processes in these process groups. */
export const processesOf = (groups: readonly string[]): readonly string[] =>
  ofEach('stat').flatMap(([pid, stat]) => {
    const [state, , group = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return stat !== '' && state !== 'Z' && groups.includes(group) ? [pid] : []
  })

/** The command lines, with spaces between their arguments, of the processes of the machine in which the text occurs. */
export const commandsWith = (text: string): readonly string[] => ofEach('cmdline').map(([, line]) => line.replaceAll('\0', ' ')).filter((line) => line.includes(text))
