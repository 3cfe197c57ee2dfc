import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

/** The addresses of a name, IPv4 and IPv6; `asked` counts the queries for it. */
export type Zone = (name: string, asked: number) => { readonly v4?: readonly string[]; readonly v6?: readonly string[] }

/** A name server on loopback that answers from a function (RFC 1035 §4.1, answers of type A and AAAA with TTL 0). */
export async function nameServer(zone: Zone): Promise<{ readonly address: string; questions(): readonly string[]; close(): void }> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (question, from) => {
    const { name, end } = nameIn(question)
    const type = question.readUInt16BE(end)
    asked.push(name)
    const found = zone(name, asked.filter((one) => one === name).length)
    const data = type === 1 ? (found.v4 ?? []).map(bytes4) : type === 28 ? (found.v6 ?? []).map(bytes6) : []
    const head = Buffer.from(question.subarray(0, 12))
    head.writeUInt16BE(found.v4 === undefined && found.v6 === undefined ? 0x8183 : 0x8180, 2)
    head.writeUInt16BE(data.length, 6)
    head.writeUInt32BE(0, 8)
    const records = data.map((address) => {
      const record = Buffer.alloc(12)
      record.writeUInt16BE(0xc00c, 0)
      record.writeUInt16BE(type, 2)
      record.writeUInt16BE(1, 4)
      record.writeUInt16BE(address.length, 10)
      return Buffer.concat([record, address])
    })
    socket.send(Buffer.concat([head, question.subarray(12, end + 4), ...records]), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return { address: `127.0.0.1:${socket.address().port}`, questions: () => [...asked], close: () => socket.close() }
}

function nameIn(message: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

const bytes4 = (address: string): Buffer => Buffer.from(address.split('.').map(Number))

/** Accepts the full form only: eight groups. */
const bytes6 = (address: string): Buffer => Buffer.from(address.split(':').map((group) => group.padStart(4, '0')).join(''), 'hex')

/** Listens on a port that must never be reached, and counts connections. */
export async function canary(host = '127.0.0.1', port = 0): Promise<{ readonly port: number; visits(): number; close(): Promise<void> }> {
  let visits = 0
  const server = createServer((socket) => {
    visits++
    socket.destroy()
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  const address: AddressInfo | string | null = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    visits: () => visits,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
