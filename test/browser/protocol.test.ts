import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { contextTerms, visit } from '../../src/browser/index.ts'
import type * as Pipes from '../../src/browser/protocol/pipe.ts'
import type { Order } from '../../src/domain/pages/capture.ts'
import { browserCall, testPool } from './pool.ts'

interface Spoken {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly expression?: string; readonly request?: { readonly url: string } }
}

/** What goes over the pipe to the browser. */
const line = vi.hoisted(() => ({ commands: [] as Spoken[], events: [] as Spoken[], bytes: 0 }))
vi.mock('../../src/browser/protocol/pipe.ts', async (original) => {
  const real = await original<typeof Pipes>()
  const tapped = (one: Pipes.Pipe): Pipes.Pipe => ({
    ...one,
    send(message) {
      line.commands.push(message)
      line.bytes += JSON.stringify(message).length
      one.send(message)
    },
    listen: (hear, end) =>
      one.listen((message) => {
        if (!('id' in message)) line.events.push(message)
        hear(message)
      }, end),
  })
  return { ...real, pipe: (...given: Parameters<typeof real.pipe>) => tapped(real.pipe(...given)) }
})

const words = 'Some words of a text that a script has fetched. '.repeat(20)
const files: Readonly<Record<string, readonly [type: string, body: string]>> = {
  '/style.css': ['text/css', 'body { margin: 2em }'],
  '/part': ['text/plain', words],
}
const page = '<!doctype html><title>Page</title><link rel="stylesheet" href="/style.css"><main></main><img src="/picture.png"><script>fetch("/part").then((answer) => answer.text()).then((text) => { document.querySelector("main").textContent = navigator.platform + " " + text })</script>'

async function startSite(): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    const [type, body] = files[url] ?? ['text/html', page]
    response.setHeader('content-type', type).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}` // a TCP server's address
}

/** Visits pages of one crawl one after the other, and counts what the last costs. */
async function visits(count: number, more: Partial<Order> = {}) {
  const host = await startSite()
  const { pool } = await testPool({ allow: [host] })
  const bodies: string[] = []
  for (let i = 0; i < count; i++) {
    Object.assign(line, { commands: [], events: [], bytes: 0 })
    const order: Order = { url: `http://${host}/${i}`, headers: {}, languages: ['en-US', 'en'], skipTlsVerification: true, blockAds: true, onRedirect: async () => undefined, ...more }
    const terms = contextTerms(order)
    const call = browserCall()
    const visited = await pool.use({ ...terms, shared: 'crawl' }, (one) => visit(one, { order, terms }, { clock: Date, maxBytes: 1e7 }, call), call)
    bodies.push(visited.kind === 'captured' ? String(visited.capture.body) : '')
  }
  return { bodies }
}

const named = (messages: readonly Spoken[], method: string): readonly Spoken[] => messages.filter((one) => one.method === method)

it('a page of a crawl costs few messages between us and the browser, and none of them twice', async () => {
  const { bodies } = await visits(3)
  expect(bodies.every((body) => body.includes(words.trim()))).toBe(true)
  const { commands, events, bytes } = line
  const asked = named(events, 'Network.requestWillBeSent').map(({ params }) => params?.request?.url.replace(/^.*\//, ''))
  const paused = named(events, 'Fetch.requestPaused').map(({ params }) => params?.request?.url.replace(/^.*\//, ''))
  expect({ asked: asked.toSorted(), paused: paused.toSorted(), sessions: named(events, 'Target.attachedToTarget').length }).toEqual({ asked: ['2', 'part', 'picture.png', 'style.css'], paused: ['2', 'part', 'picture.png'], sessions: 1 })
  // It is looked at again when it changes meanwhile.
  const looks = named(commands, 'Runtime.evaluate').filter(({ params }) => params?.expression?.includes('__watch') === true)
  expect(named(commands, 'Runtime.evaluate').length - looks.length).toBeLessThanOrEqual(5)
  expect(commands.length - looks.length).toBeLessThanOrEqual(44)
  expect(bytes - looks.reduce((sum, one) => sum + JSON.stringify(one).length, 0)).toBeLessThanOrEqual(62_000)
})

it('each page of a crawl is shown to the same device', async () => {
  const { bodies } = await visits(3, { mobile: true })
  expect(bodies.map((body) => /Linux \w+/.exec(body)?.[0])).toEqual(['Linux armv81', 'Linux armv81', 'Linux armv81'])
})
