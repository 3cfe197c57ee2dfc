import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it, vi } from 'vitest'
import { groupEnded, startOf } from './processes.ts'

it('a process group whose members are zombies counts as ended', async () => {
  const starter = spawn(process.execPath, ['-e', `
    const group = require('node:child_process').spawn('sleep', ['600'], { stdio: 'ignore', detached: true })
    console.log(group.pid)
    setTimeout(() => {}, 600_000)`], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [said] = await once(starter.stdout, 'data')
  const group = Number(String(said))
  // While it is stopped, it does not reap its children.
  starter.kill('SIGSTOP')
  const kill = vi.spyOn(process, 'kill')
  await groupEnded(group)
  // Otherwise it would check 200 times.
  expect(kill.mock.calls.length).toBeLessThan(150)
  kill.mockRestore()
  expect([process.kill(group, 0), startOf(group)]).toEqual([true, null])
  starter.kill('SIGKILL')
  await once(starter, 'close')
}, 30_000)
