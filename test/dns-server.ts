import { createSocket } from 'node:dgram'

/** The addresses of a name, IPv6 in full form only; null: there is no such name. Called for each query. */
export type Zone = (name: string, type: 'A' | 'AAAA') => readonly string[] | null

export interface DnsServer {
  readonly address: string
  close(): void
}

/** A name server on loopback that answers from a function (RFC 1035 §4.1). */
export async function dnsServer(zone: Zone, { port = 0, ttl = 0 }: { readonly port?: number; readonly ttl?: number } = {}): Promise<DnsServer> {
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const { name, end } = nameIn(query)
    const type = query.readUInt16BE(end)
    const found = zone(name, type === 28 ? 'AAAA' : 'A')
    const answers = (found ?? []).filter((address) => type === (address.includes(':') ? 28 : 1)).map((address) => record(address, type, ttl))
    const head = Buffer.from(query.subarray(0, 12))
    head.writeUInt16BE(found === null ? 0x8183 : 0x8180, 2)
    head.writeUInt16BE(answers.length, 6)
    head.writeUInt32BE(0, 8)
    socket.send(Buffer.concat([head, query.subarray(12, end + 4), ...answers]), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(port, '127.0.0.1', resolve))
  return { address: `127.0.0.1:${socket.address().port}`, close: () => void socket.close() }
}

function nameIn(query: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

function record(address: string, type: number, ttl: number): Buffer {
  const data = type === 28 ? Buffer.from(address.split(':').map((group) => group.padStart(4, '0')).join(''), 'hex') : Buffer.from(address.split('.').map(Number))
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(ttl, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

/** A name server on loopback that knows no name. */
export const emptyDnsServer = (): Promise<DnsServer> => dnsServer(() => null)

/** A name server on loopback that resolves every name to 127.0.0.1, except names in `.nowhere`: they do not exist. */
export const loopbackDnsServer = (port = 0): Promise<DnsServer> => dnsServer((name) => (name.endsWith('.nowhere') ? null : ['127.0.0.1']), { port, ttl: 60 })
