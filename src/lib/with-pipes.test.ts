import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { expect, it } from 'vitest'
import { withPipes } from './with-pipes.ts'

it('answers a process that has its pipes, even if its program cannot be started', async () => {
  const child = withPipes(spawn('/no/such/program', { stdio: 'pipe' }))
  expect(child.stdout).not.toBeNull()
  expect(await once(child, 'error')).toMatchObject([{ code: 'ENOENT' }])
})

it('throws when file descriptors ran out, and the later error event crashes nothing', () => {
  const child = new EventEmitter() as unknown as ChildProcess // As Node leaves it then.
  expect(() => withPipes(child)).toThrow('too many files are open')
  expect(child.emit('error', new Error('spawn EMFILE'))).toBe(true)
})
