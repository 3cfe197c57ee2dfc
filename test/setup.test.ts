import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { isLoopback } from './loopback.ts'
import { testRun } from './tooling/test-run.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

it.each([
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['localhost.', true],
  ['shop.localhost', true],
  ['[::1]', true],
  ['127.0.0.1.example.com', false],
  ['localhost.example.com', false],
  ['10.0.0.1', false],
  ['::2', false],
])('isLoopback(%s) is %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected)
})

/** Runs a test body in a separate test run; returns how that ended. */
function runTest(body: string): { readonly status: number | null; readonly output: string } {
  const { status, output } = testRun({ 'one.test.mjs': `it('reaches out', async () => {\n${body}\n})\n` }, { setupFiles: [join(root, 'test/setup.ts')] })
  return { status, output }
}

it.each([
  ['connects by address', "const net = await import('node:net'); net.connect(80, '192.0.2.1').on('error', () => {})"],
  ['fetches and swallows the error', "await fetch('http://192.0.2.1/').catch(() => {})"],
  ['looks up a name', "const { lookup } = await import('node:dns'); try { lookup('example.com', () => {}) } catch {}"],
  ['asks a name server', "const { Resolver } = await import('node:dns/promises'); try { const r = new Resolver(); r.setServers(['192.0.2.1']); await r.resolve4('example.com') } catch {}"],
  ['sends a datagram', "const dgram = await import('node:dgram'); try { dgram.createSocket('udp4').send('x', 53, '192.0.2.1') } catch {}"],
])('a test that %s fails', (_, body) => {
  const { status, output } = runTest(body)
  expect(output).toContain('reached for the network')
  expect(status).toBe(1)
})
