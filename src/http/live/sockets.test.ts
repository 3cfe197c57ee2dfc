import type { AddressInfo } from 'node:net'
import { WebSocket as Client } from 'ws'
import { expect, it, onTestFinished } from 'vitest'
import { fakeApp } from '../../../test/fakes.ts'
import type { LiveBrowser, LiveDoor, LiveViewer } from '../../domain/sessions/live-browser.ts'

const tokens: LiveDoor['tokens'] = { cdp: 'c'.repeat(43), view: 'v'.repeat(43), control: 'i'.repeat(43) }

/** A viewer of a session whose browser the test plays. */
async function viewed(): Promise<{ readonly client: Client; readonly viewer: LiveViewer; left(): number }> {
  let left = 0
  let came: (viewer: LiveViewer) => void = () => undefined
  const viewer = new Promise<LiveViewer>((resolve) => (came = resolve))
  const watch = (one: LiveViewer): object => {
    came(one)
    return { input: () => undefined, close: () => void left++ }
  }
  const app = fakeApp({ live: { find: () => ({ browser: { watch } as unknown as LiveBrowser, tokens, touch: () => undefined }) } }) // what is used of it
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo // a TCP server's address
  const client = new Client(`ws://127.0.0.1:${port}/v2/browser/abc/view?token=${tokens.view}`)
  client.on('error', () => undefined)
  const open = new Promise((resolve) => client.once('open', resolve))
  onTestFinished(async () => {
    client.terminate()
    await app.drain(0)
  })
  await open
  return { client, viewer: await viewer, left: () => left }
}

it('a viewer who reads nothing of what there is to tell is disconnected', async () => {
  const { client, viewer, left } = await viewed()
  client.pause()
  const news = { type: 'page', url: 'x'.repeat(1024 ** 2), loading: false, back: false, forward: false } as const // one of the news
  for (let told = 0; told < 100; told++) {
    viewer.tell(news)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await expect.poll(left).toBe(1)
})

it('a viewer is told that the session ends', async () => {
  const { client, viewer } = await viewed()
  const heard: unknown[] = []
  client.on('message', (data) => void heard.push(Reflect.get(Object(JSON.parse(String(data))), 'type')))
  const closed = new Promise((resolve) => client.once('close', resolve))
  viewer.ended()
  expect(await closed).toBe(1000)
  expect(heard.at(-1)).toBe('ended')
})
