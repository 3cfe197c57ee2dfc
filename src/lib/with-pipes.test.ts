import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { expect, it } from 'vitest'
import { withPipes } from './with-pipes.ts'

it('hands on a process that has its pipes, one that cannot be started too', async () => {
  const child = withPipes(spawn('/no/such/program', { stdio: 'pipe' }))
  expect(child.stdout).not.toBeNull()
  expect(await once(child, 'error')).toMatchObject([{ code: 'ENOENT' }])
})

it('throws where no descriptors were left, and ends nobody by what is told later', () => {
  const child = new EventEmitter() as unknown as ChildProcess // As Node leaves it then.
  expect(() => withPipes(child)).toThrow('too many files are open')
  expect(child.emit('error', new Error('spawn EMFILE'))).toBe(true)
})
