import { readFile } from 'node:fs/promises'
import { broken, type Finding, ok } from './findings.ts'

/** What a process needs at the least, by its name in the table of the kernel, in words, with the shell's switch. A browser alone has a hundred threads, and each scrape two connections. */
const needs = [
  { name: 'Max open files', what: 'open files and connections', least: 256, advised: 4_096, flag: '-n' },
  { name: 'Max processes', what: 'processes and threads of a user', least: 256, advised: 4_096, flag: '-u' },
] as const // `const`: these rows and no others

/** Whether this process may have as many files and threads as the service needs; nothing where the kernel does not say. */
export async function machineLimits(): Promise<readonly Finding[]> {
  const table = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const low = needs.flatMap(({ name, what, least, advised, flag }) => {
    const limit = Number(new RegExp(`^${name} +(\\d+)`, 'm').exec(table)?.[1] ?? Infinity)
    return limit < least ? [broken(`limits: at most ${limit} ${what} (ulimit ${flag}); the service needs ${least}, and ${advised} under load`)] : []
  })
  return table === '' || low.length > 0 ? low : [ok('limits of open files and processes are high enough')]
}
