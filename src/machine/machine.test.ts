import { spawn } from 'node:child_process'
import { expect, it } from 'vitest'
import { outputOf } from './output-of.ts'
import { processStat, processStats } from './process-stats.ts'
import { isProgram, systemProgram } from './programs.ts'

const never = new AbortController().signal
const script = (code: string): ReturnType<typeof spawn> => spawn('/bin/sh', ['-c', code], { stdio: ['ignore', 'pipe', 'ignore'] })

it.each([
  ['all that it writes', 'printf one; printf two', 'onetwo'],
  ['nothing when it fails', 'printf one; exit 3', undefined],
  ['nothing when it writes too much, and does not wait for its end', 'printf %0200d 1; exec sleep 100', undefined],
])('of a program there is %s', async (_, code, expected) => {
  expect((await outputOf(script(code), 100, never))?.toString()).toBe(expected)
})

it('of a program that cannot be started there is nothing', async () => {
  expect(await outputOf(spawn('/nonexistent/program'), 100, never)).toBeNull()
})

it('a program is killed when its output is no longer wanted', async () => {
  const ended = new AbortController()
  const child = script('printf one; exec sleep 100')
  const output = outputOf(child, 100, ended.signal)
  child.stdout?.once('data', () => ended.abort())
  expect(await output).toBeNull()
  expect(child.signalCode).toBe('SIGKILL')
  const late = script('exec sleep 100')
  expect(await outputOf(late, 100, ended.signal)).toBeNull()
  expect(late.signalCode).toBe('SIGKILL')
})

it('programs are found where systems put them, and only what can be executed is one', () => {
  expect(systemProgram('sh')).toMatch(/^\/(?:usr\/)?bin\/sh$/)
  expect(systemProgram('no-such-program')).toBeNull()
  expect([isProgram('/bin/sh'), isProgram('/etc/passwd'), isProgram('/nonexistent')]).toEqual([true, false, false])
})

it('a process has a parent, memory and a start that does not change, whatever its name', async () => {
  const child = spawn('/bin/bash', ['-c', 'exec -a "a) Z 1 1" sleep 100'], { stdio: 'ignore', detached: true })
  const { pid = 0 } = child
  const first = processStat(pid)
  expect(first).toMatchObject({ parent: process.pid, group: pid })
  expect((await processStats()).get(pid)?.started).toBe(first?.started)
  // Of a process that was started just now the system may not have counted a page yet.
  const self = processStat(process.pid)
  expect(self?.bytes).toBeGreaterThan(10 * 2 ** 20)
  expect(self?.cpuMs).toBeGreaterThan(0)
  child.kill('SIGKILL')
  await new Promise((resolve) => child.once('exit', resolve))
  expect(processStat(pid)).toBeNull()
})
