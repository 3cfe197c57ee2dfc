import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { expect, it } from 'vitest'
import { withPipes } from './with-pipes.ts'

it('a process is returned with its pipes, even if its program cannot be started', async () => {
  const child = withPipes(spawn('/no/such/program', { stdio: 'pipe' }))
  expect(child.stdout).not.toBeNull()
  expect(await once(child, 'error')).toMatchObject([{ code: 'ENOENT' }])
})

it('a process without pipes, for lack of descriptors, throws, and its later error event is handled', () => {
  const child = new EventEmitter() as unknown as ChildProcess // as Node returns it in that case
  expect(() => withPipes(child)).toThrow('too many files are open')
  expect(child.emit('error', new Error('spawn EMFILE'))).toBe(true)
})
