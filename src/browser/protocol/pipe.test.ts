import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocketServer } from 'ws'
import { isAnswering, pipe, remotePipe } from './pipe.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

describe('a pipe to a Chromium', () => {
  it('joins and splits messages however they arrive', async () => {
    const [to, from] = [new PassThrough(), new PassThrough()]
    const heard: object[] = []
    const one = pipe(to, from)
    one.listen((message) => heard.push(message), () => undefined)
    const bytes = Buffer.from('{"id":1}\0{"text":"Fähre €"}\0\0{"id":2}\0{"id":')
    for (const byte of bytes) from.write(Buffer.of(byte))
    from.write('3}\0{"id":4}\0')
    await turn()
    await turn()
    expect(heard).toEqual([{ id: 1 }, { text: 'Fähre €' }, { id: 2 }, { id: 3 }, { id: 4 }])
    one.send({ id: 5 })
    expect(String(to.read())).toBe('{"id":5}\0')
  })

  it('writes what is sent in one turn in two pieces at most, in order and before it closes', async () => {
    const [to, from] = [new PassThrough(), new PassThrough()]
    const pieces: string[] = []
    to.on('data', (piece) => pieces.push(String(piece)))
    const one = pipe(to, from)
    for (const id of [1, 2]) one.send({ id })
    await Promise.resolve().then(() => one.send({ id: 3 }))
    await turn()
    for (const id of [4, 5]) one.send({ id })
    one.close()
    await turn()
    expect(pieces).toEqual(['{"id":1}\0', '{"id":2}\0{"id":3}\0', '{"id":4}\0', '{"id":5}\0'])
  })

  it('lets the effects of a message complete before it delivers the next one', async () => {
    const [to, from] = [new PassThrough(), new PassThrough()]
    const order: string[] = []
    pipe(to, from).listen((message) => {
      order.push(`heard ${'id' in message ? String(message.id) : ''}`)
      void Promise.resolve().then(() => order.push('done'))
    }, () => undefined)
    from.write('{"id":1}\0{"id":2}\0')
    await turn()
    expect(order).toEqual(['heard 1', 'done', 'heard 2', 'done'])
  })

  it('passes over a message that is longer than a text, or than the answer may be: an error takes the place of an answer, nothing that of an event', async () => {
    const [to, from] = [new PassThrough(), new PassThrough()]
    const [heard, ends]: [object[], number[]] = [[], []]
    pipe(to, from, 1_000).listen((message) => heard.push(message), () => void ends.push(1), (id) => (id === 3 ? 200 : 10_000))
    const text = (length: number): string => JSON.stringify('ä'.repeat(length / 2))
    const said = [`{"id":1,"result":${text(300)},"sessionId":"A"}`, `{"id":2,"result":${text(2_000)},"sessionId":"A"}`, `{"method":"Page.x","params":${text(2_000)}}`, `{"id":3,"result":${text(300)}}`, '{"id":4}']
    const bytes = Buffer.from(said.map((one) => `${one}\0`).join(''))
    for (let at = 0; at < bytes.length; at += 7) from.write(bytes.subarray(at, at + 7))
    await expect.poll(() => heard.length).toBe(4)
    const error = { code: -32_000, message: 'The answer is longer than it may be' }
    expect([heard, ends]).toEqual([[{ id: 1, result: 'ä'.repeat(150), sessionId: 'A' }, { id: 2, sessionId: 'A', error }, { id: 3, error }, { id: 4 }], []])
  })

  it('reports once that the other end is gone, and tolerates messages sent after that', async () => {
    const [to, from] = [new PassThrough(), new PassThrough()]
    let closed = 0
    const one = pipe(to, from)
    one.listen(() => undefined, () => void closed++)
    from.destroy()
    await turn()
    to.emit('error', new Error('EPIPE'))
    one.close()
    one.send({ id: 1 })
    await turn()
    expect(closed).toBe(1)
  })
})

describe('a pipe to a Chromium elsewhere', () => {
  async function elsewhere(answer: (port: number) => object) {
    const server = createServer((_, response) => response.end(JSON.stringify(answer((server.address() as AddressInfo).port)))) // a TCP server's address
    const sockets = new WebSocketServer({ server, path: '/devtools/browser/1' })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      for (const one of sockets.clients) one.terminate()
      server.close()
    })
    return { sockets, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  }

  it('asks the address for its command endpoint, and connects there', async () => {
    const { sockets, address } = await elsewhere((port) => ({ webSocketDebuggerUrl: `ws://127.0.0.1:${port}/devtools/browser/1` }))
    sockets.on('connection', (socket) => socket.on('message', (data) => (socket.send(String(data)), socket.close())))
    const one = await remotePipe(`${address}/`, 5_000)
    const heard: object[] = []
    const closed = new Promise<void>((resolve) => one.listen((message) => heard.push(message), resolve))
    one.send({ id: 1 })
    await closed
    one.send({ id: 2 })
    expect(heard).toEqual([{ id: 1 }])
  })

  it('takes no longer answer to a command than that may have', async () => {
    const { sockets, address } = await elsewhere((port) => ({ webSocketDebuggerUrl: `ws://127.0.0.1:${port}/devtools/browser/1` }))
    const answers = [`{"id":1,"result":"${'x'.repeat(300)}","sessionId":"A"}`, '{"id":1}']
    sockets.on('connection', (socket) => socket.on('message', () => answers.forEach((one) => socket.send(one))))
    const one = await remotePipe(address, 5_000)
    const heard: object[] = []
    one.listen((message) => heard.push(message), () => undefined, () => 200)
    one.send({ id: 1 })
    await expect.poll(() => heard).toEqual([{ id: 1, sessionId: 'A', error: { code: -32_000, message: 'The answer is longer than it may be' } }, { id: 1 }])
    one.close()
  })

  it('reports that nothing there accepts commands', async () => {
    const { address } = await elsewhere(() => ({}))
    await expect(remotePipe(address, 5_000)).rejects.toThrow('does not answer as a Chromium')
    await expect(remotePipe('ws://127.0.0.1:9/', 5_000)).rejects.toThrow('ECONNREFUSED')
    expect([await isAnswering(address, 5_000), await isAnswering('http://127.0.0.1:9/', 5_000)]).toEqual([false, false])
  })

  it('is found to lead to one that accepts commands, and closed', async () => {
    const { sockets, address } = await elsewhere((port) => ({ webSocketDebuggerUrl: `ws://127.0.0.1:${port}/devtools/browser/1` }))
    const closed = new Promise<void>((resolve) => sockets.on('connection', (socket) => socket.once('close', () => resolve())))
    expect(await isAnswering(address, 5_000)).toBe(true)
    await closed
  })
})
