import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folders of the browsers of services whose temporary folder is `parent`. */
export function browserFolders(parent: string): readonly string[] {
  const base = join(parent, `trawl-browsers-${process.getuid?.() ?? 0}`)
  return existsSync(base) ? readdirSync(base).map((name) => join(base, name)) : []
}

/** The process groups of these browsers. */
export const groupsOf = (folders: readonly string[]): readonly string[] => folders.map((folder) => join(folder, 'pid')).filter(existsSync).map((file) => readFileSync(file, 'latin1').trim())

/** The processes in these process groups. */
export function processesOf(groups: readonly string[]): readonly string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      const stat = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/stat`, 'latin1') : ''
      const [state, , group = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return state !== 'Z' && groups.includes(group)
    } catch {
      return false // ended in the meantime
    }
  })
}
