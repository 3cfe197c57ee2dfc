import { createSocket } from 'node:dgram'
import type { AddressInfo } from 'node:net'

/** A name server on loopback that answers NXDOMAIN to every query (RFC 1035 §4.1.1, RCODE 3). */
export async function emptyDnsServer(): Promise<{ readonly address: string; close(): void }> {
  const socket = createSocket('udp4')
  socket.on('message', (question, from) => {
    const answer = Buffer.from(question)
    answer[2] = 0x81
    answer[3] = 0x83
    socket.send(answer, from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const { port }: AddressInfo = socket.address()
  return { address: `127.0.0.1:${port}`, close: () => socket.close() }
}

/** A name server on loopback that resolves every name to 127.0.0.1, except names in `.nowhere`: they do not exist. `at`: its port. */
export async function loopbackDnsServer(at = 0): Promise<{ readonly address: string; close(): void }> {
  const socket = createSocket('udp4')
  socket.on('message', (message, from) => {
    const known = !message.includes('\x07nowhere\x00')
    const end = message.indexOf(0, 12) + 5
    const answers = known && message.readUInt16BE(end - 4) === 1 ? [Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1])] : []
    const head = Buffer.from([...message.subarray(0, 2), 0x81, known ? 0x80 : 0x83, 0, 1, 0, answers.length, 0, 0, 0, 0])
    socket.send(Buffer.concat([head, message.subarray(12, end), ...answers]), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(at, '127.0.0.1', resolve))
  const { port }: AddressInfo = socket.address()
  return { address: `127.0.0.1:${port}`, close: () => socket.close() }
}
