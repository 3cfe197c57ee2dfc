import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const lib = (name: string): string => JSON.stringify(fileURLToPath(new URL(`../../scripts/lib/${name}`, import.meta.url)))

/** Has a folder of its own, with a file in it of a program that does not end by itself and says both. */
const script = `
import { ownFolder } from ${lib('own-folder.mjs')}
import { run } from ${lib('run.mjs')}
const busy = 'require("fs").mkdtempSync(require("os").tmpdir() + "/left-"); console.log(process.pid, require("os").tmpdir()); setInterval(() => {}, 1000)'
await run(process.execPath, ['-e', busy], { env: { TMPDIR: ownFolder('trawl-own-') } })
console.log('went on')
`

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

it.each([['SIGTERM', 143], ['SIGINT', 130], ['SIGHUP', 129]] as const)('a tool that gets %s ends what it runs, removes its files, and goes no further', async (signal, status) => {
  const tool = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  const [pid = '', folder = ''] = await new Promise<readonly string[]>((resolve) => {
    tool.stdout.setEncoding('utf8').on('data', (part: string) => {
      said += part
      if (said.endsWith('\n')) resolve(said.trim().split(' '))
    })
  })
  expect([isRunning(Number(pid)), existsSync(folder)]).toEqual([true, true])
  tool.kill(signal)
  expect(await once(tool, 'close')).toEqual([status, null])
  expect([isRunning(Number(pid)), existsSync(folder), said.includes('went on')]).toEqual([false, false, false])
})
