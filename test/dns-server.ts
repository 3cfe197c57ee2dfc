import { createSocket } from 'node:dgram'
import type { AddressInfo } from 'node:net'

/** A name server on loopback that knows no name at all (RFC 1035 §4.1.1, RCODE 3). */
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
