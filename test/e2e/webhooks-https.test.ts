import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { listening, nameServer } from '../net/servers.ts'
import { environmentOf } from '../service.ts'

const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url))
const net = new URL('../../dist/net/index.js', import.meta.url).href

/** Posts to each URL in a separate process, because the trusted authorities are read once at the start. */
function posted(urls: readonly string[], server: string): Promise<string> {
  const program = `
    const { allowList, egress, nameResolver, ownEndpoints, webhookClient } = await import(${JSON.stringify(net)})
    const resolver = nameResolver({ servers: [${JSON.stringify(server)}], clock: { now: Date.now } })
    const client = webhookClient({ egress: egress({ resolver, allow: allowList(['127.0.0.1']), own: ownEndpoints() }), reserved: [], userAgent: 'test' })
    for (const url of ${JSON.stringify(urls)}) {
      const receipt = await client.post({ url, headers: {}, signature: {}, body: Buffer.from('{"a":1}') }, new AbortController().signal)
      console.log(JSON.stringify(receipt))
    }`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { env: environmentOf({ NODE_EXTRA_CA_CERTS: fixture('authority.pem') }), stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  return new Promise((resolve) => child.once('close', () => resolve(out)))
}

describe('a receiver behind TLS', () => {
  it('gets its message if the certificate matches its name, and nothing otherwise', async () => {
    const got: string[] = []
    const server = createServer({ key: readFileSync(fixture('issued-key.pem')), cert: readFileSync(fixture('issued-cert.pem')) }, (request, response) => {
      request.on('data', (chunk: Buffer) => got.push(`${request.headers.host} ${chunk.toString()}`))
      request.on('end', () => response.writeHead(201).end())
    })
    server.on('tlsClientError', () => {})
    const port = await listening(server)
    const names = await nameServer({ 'site.test': [['127.0.0.1']], 'wrong.test': [['127.0.0.1']] })
    const receipts = await posted([`https://site.test:${port}/`, `https://wrong.test:${port}/`, `https://127.0.0.1:${port}/`], names.address)
    expect(receipts.trim().split('\n').map((line) => JSON.parse(line) as unknown)).toEqual([{ kind: 'answer', status: 201 }, { kind: 'none', why: 'certificate' }, { kind: 'answer', status: 201 }])
    expect(got).toEqual([`site.test:${port} {"a":1}`, `127.0.0.1:${port} {"a":1}`])
  })
})
