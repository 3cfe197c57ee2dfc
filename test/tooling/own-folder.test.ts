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

/** What a worker of the program writes is still coming when that has ended. */
const writing = `
import { ownFolder } from ${lib('own-folder.mjs')}
import { run } from ${lib('run.mjs')}
const write = 'let at = 0; for (;;) require("fs").writeFileSync(require("os").tmpdir() + "/" + at++, "")'
const fork = 'require("child_process").spawn(process.execPath, ["-e", ' + JSON.stringify(write) + ']); setTimeout(() => {}, 60000)'
const folder = ownFolder('trawl-own-')
console.log(folder)
console.log(await run(process.execPath, ['-e', fork], { group: true, limitMs: 1500, env: { TMPDIR: folder } }))
`

it('a program that runs into its limit ends with all that it has started, and the last line is the tool\'s', async () => {
  const tool = spawn(process.execPath, ['--input-type=module', '-e', writing], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [tool.stdout, tool.stderr]) stream.setEncoding('utf8').on('data', (part: string) => (said += part))
  expect(await once(tool, 'close')).toEqual([0, null])
  const [folder = '', ...rest] = said.trim().split('\n')
  expect([rest, existsSync(folder)]).toEqual([['124'], false])
}, 30_000)
