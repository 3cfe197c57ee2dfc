import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it, vi } from 'vitest'
import { groupEnded, startOf } from './processes.ts'

it('takes a group for ended whose dead nobody has asked about', async () => {
  const starter = spawn(process.execPath, ['-e', `
    const group = require('node:child_process').spawn('sleep', ['600'], { stdio: 'ignore', detached: true })
    console.log(group.pid)
    setTimeout(() => {}, 600_000)`], { stdio: ['ignore', 'pipe', 'inherit'] }) // prettier-ignore
  const [said] = await once(starter.stdout, 'data')
  const group = Number(String(said))
  // Stopped, it asks after none of those that it has started.
  starter.kill('SIGSTOP')
  const kill = vi.spyOn(process, 'kill')
  await groupEnded(group)
  // It would go on for 200 looks.
  expect(kill.mock.calls.length).toBeLessThan(150)
  kill.mockRestore()
  expect([process.kill(group, 0), startOf(group)]).toEqual([true, null])
  starter.kill('SIGKILL')
  await once(starter, 'close')
}, 30_000)
