import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { callFor, listening, nameServer, outcome, page, testFetcher } from '../../test/net/servers.ts'

const fixture = (name: string) => fileURLToPath(new URL(`../../test/fixtures/tls/${name}`, import.meta.url))

// In its own file, and thus process: the client reads the trusted authorities once.
describe('a fetch with a trusted certificate authority', () => {
  it('accepts the certificate for the hosts that it names, and for no others', async () => {
    vi.stubEnv('SSL_CERT_FILE', fixture('authority.pem'))
    const server = createServer({ key: readFileSync(fixture('issued-key.pem')), cert: readFileSync(fixture('issued-cert.pem')) }, (_request, response) => response.end('page'))
    const port = await listening(server)
    const names = await nameServer({ 'site.test': [['127.0.0.1']], 'wrong.test': [['127.0.0.1']] })
    const fetcher = testFetcher({ servers: [names.address] })
    const get = (host: string, skipTlsVerification: boolean) => fetcher.fetch({ ...page, skipTlsVerification, url: `https://${host}:${port}/` }, callFor())
    expect(await get('localhost', false)).toMatchObject({ status: 200, tlsVerified: true })
    expect(await get('site.test', true)).toMatchObject({ status: 200, tlsVerified: true })
    expect(await get('127.0.0.1', true)).toMatchObject({ status: 200, tlsVerified: true })
    expect(await outcome(get('wrong.test', false))).toBe('SCRAPE_SSL_ERROR')
    expect(await get('wrong.test', true)).toMatchObject({ status: 200, tlsVerified: false })
  })
})
