import type * as Threads from 'node:worker_threads'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Call } from '../domain/call.ts'
import { readDefaults } from '../domain/pages/reading.ts'
import type { Capture } from '../domain/pages/capture.ts'
import { type Pool, pool } from './pool.ts'

const machine = vi.hoisted(() => ({ room: 0 }))
vi.mock('node:worker_threads', async (original) => {
  const { Worker, ...others } = await original<typeof Threads>()
  return {
    ...others,
    Worker: class extends Worker {
      constructor(...args: ConstructorParameters<typeof Worker>) {
        if (machine.room-- <= 0) throw Object.assign(new Error('EAGAIN'), { code: 'ERR_WORKER_INIT_FAILED' })
        super(...args)
      }
    },
  }
})

/** A worker that ends itself at a page that says so, and returns the text of others. */
const script = `
import { parentPort } from 'node:worker_threads'
parentPort.postMessage({ ready: true })
parentPort.on('message', ({ capture }) => {
  const text = Buffer.from(capture.body).toString()
  if (text === 'die') process.exit(3)
  parentPort.postMessage({ packed: Buffer.from('{}\\n' + JSON.stringify({ markdown: text })) })
})`

function startPool(threads: number): Pool {
  const made = pool({ entry: new URL(`data:text/javascript,${encodeURIComponent(script)}`), threads, helpers: 1, maxMs: 10_000, maxHeapMb: 32, idleMs: 10_000 })
  onTestFinished(() => made.close())
  return made
}

function read(target: Pool, text: string): Promise<unknown> {
  const capture: Capture = { requestedUrl: 'http://a.example/', url: 'http://a.example/', status: 200, headers: [], body: Buffer.from(text), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }
  const call: Call = { id: 'c', team: 't', signal: new AbortController().signal, deadline: Date.now() + 60_000, retention: 'normal', log: () => undefined }
  const order = { formats: [{ type: 'markdown' as const }], parsers: [], explain: false, read: readDefaults } // `const`: narrows the type
  return target.run({ capture, order }, call).then(({ fields }) => fields().markdown, (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error))
}

it('a page for which the machine starts no thread can be tried again, and the next one is read as soon as there is room', async () => {
  machine.room = 0
  const made = startPool(2)
  made.prepare()
  expect(await Promise.all([read(made, 'a'), read(made, 'b')])).toEqual(['OVERLOADED', 'OVERLOADED'])
  machine.room = 1
  expect(await read(made, 'c')).toBe('c')
})

it('pages wait for the thread that there is, if no further one starts', async () => {
  machine.room = 1
  const made = startPool(2)
  expect(await Promise.all([read(made, 'a'), read(made, 'b'), read(made, 'c')])).toEqual(['a', 'b', 'c'])
})

it('a page that waits for a thread which is not replaced when it ends can be tried again', async () => {
  machine.room = 1
  const made = startPool(1)
  const pages = [read(made, 'die'), read(made, 'b')]
  expect(await Promise.all(pages)).toEqual(['SCRAPE_SITE_ERROR', 'OVERLOADED'])
})
