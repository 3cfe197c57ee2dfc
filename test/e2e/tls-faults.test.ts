import { createServer as createHttps } from 'node:https'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { selfSigned } from '../net/servers.ts'
import { startTrawl, type TestService } from '../service.ts'

/** A TLS record with the fatal alert `handshake_failure` (RFC 8446 §6). */
const refusal = Buffer.from([0x15, 3, 3, 0, 2, 2, 40])
const replying = (bytes: Buffer | string): Server => createServer((socket) => void socket.on('error', () => {}).once('data', () => socket.end(bytes)))

const servers = {
  refusing: replying(refusal),
  plain: replying('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n'),
  wanting: createHttps({ ...selfSigned, requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.3' }, (_request, response) => response.end('<p>page</p>')),
}
const names = ['refusing', 'plain', 'wanting'] as const
const portOf = (name: (typeof names)[number]): number => (servers[name].address() as AddressInfo).port // a TCP server that listens

let trawl: TestService
beforeAll(async () => {
  for (const name of names) await new Promise<void>((done) => void servers[name].listen(0, '127.0.0.1', done))
  trawl = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: names.map((name) => `127.0.0.1:${portOf(name)}`).join(',') } })
})
afterAll(async () => {
  await trawl.stop()
  for (const name of names) servers[name].close()
})

describe('a site without an encrypted connection', () => {
  const said = { refusing: 'found no way to encrypt the connection', plain: 'found no way to encrypt the connection', wanting: 'wants a TLS certificate of its visitors' }

  // Certificates are not verified here, so none of these may be told that its certificate is at fault.
  it.each(names.flatMap((name) => [[name, 'HTTP', {}], [name, 'the browser', { waitFor: 1 }]] as const))('is named as such when it is %s, by %s', async (name, _engine, options) => {
    const answer = await trawl.scrape({ url: `https://127.0.0.1:${portOf(name)}/`, ...options })
    expect([answer.status, answer.json.code, answer.json.error]).toEqual([500, 'SCRAPE_SITE_ERROR', expect.stringContaining(said[name])])
  })
})
