import { createServer, Socket } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { callFor, listening, nameServer, outcome, testEgress } from '../../test/net/servers.ts'
import { ownEndpoints } from './own-endpoints.ts'

const silent = () => listening(createServer())

describe('vetting a literal address', () => {
  const { egress } = { egress: { vet: (host: string, port: number) => testEgress({ allow: [] }).egress.vet(host, port, callFor()) } }
  const hostOf = (url: string) => new URL(url).hostname

  it.each([
    'http://127.0.0.1/', 'http://127.0.0.1./', 'http://127.1/', 'http://2130706433/', 'http://0x7f000001/', 'http://0x7f.0.0.1/', 'http://017700000001/',
    'http://0177.0.0.1/', 'http://0/', 'http://0.0.0.0/', 'http://[::]/', 'http://[::1]/', 'http://[::ffff:127.0.0.1]/', 'http://[::ffff:7f00:1]/',
    'http://[::127.0.0.1]/', 'http://[64:ff9b::7f00:1]/', 'http://[64:ff9b:1::7f00:1]/', 'http://[2002:7f00:1::]/', 'http://①②⑦.⓪.⓪.①/',
    'http://127。0。0。1/', 'http://169.254.169.254/', 'http://[fd00:ec2::254]/', 'http://[fe80::1]/', 'http://168.63.129.16/', 'http://100.64.0.1/',
    'http://localhost/', 'http://LOCALHOST./', 'http://a.localhost/', 'http://mylocalhost/', 'http://ⓛocalhost/', 'http://%6c%6fcalhost/',
  ])('refuses %s', async (url) => expect(await outcome(egress.vet(hostOf(url), 80))).toBe('FORBIDDEN'))

  it.each(['127.1', '0x7f.1', '[::1]', '::1', '0177.0.0.1', 'LocalHost', '127.0.0.1.'])('refuses the host %s, which no URL parser has normalized', async (host) =>
    expect(await outcome(egress.vet(host, 80))).toBe('FORBIDDEN'),
  )

  it.each(['', '.', 'a..b', 'a b', 'a/b', 'a@b', 'a\0b', `${'a'.repeat(64)}.test`, `${'a.'.repeat(127)}abc`, 'a.test..', 'ex:ample', '[x]'])(
    'takes "%s" for no host at all',
    async (host) => expect(await outcome(egress.vet(host, 80))).toBe('BAD_REQUEST'),
  )

  it('accepts public addresses and returns what to dial', async () => {
    expect(await egress.vet('93.184.216.34', 443)).toEqual([{ address: '93.184.216.34', port: 443 }])
    expect(await egress.vet('[2606:4700:4700::1111]', 80)).toEqual([{ address: '2606:4700:4700::1111', port: 80 }])
  })
})

describe('vetting a name', () => {
  const ask = async (zone: Parameters<typeof nameServer>[0], allow: string[] = []) => {
    const names = await nameServer(zone)
    return { names, ...testEgress({ servers: [names.address], allow }) }
  }

  it('returns all addresses when all are public', async () => {
    const { egress } = await ask({ 'site.test': [['93.184.216.34', '2606:4700:0:0:0:0:0:1']] })
    expect(await egress.vet('Site.Test.', 80, callFor())).toEqual([
      { address: '93.184.216.34', port: 80 },
      { address: '2606:4700::1', port: 80 },
    ])
  })

  it('refuses a name when one of its addresses is private, in either family', async () => {
    const { egress } = await ask({ 'four.test': [['93.184.216.34', '10.0.0.1']], 'six.test': [['93.184.216.34', 'fd00:0:0:0:0:0:0:1']] })
    expect(await outcome(egress.vet('four.test', 80, callFor()))).toBe('FORBIDDEN')
    expect(await outcome(egress.vet('six.test', 80, callFor()))).toBe('FORBIDDEN')
  })

  it('accepts allow-listed addresses only by resolved address and port', async () => {
    const { egress } = await ask({ 'in.test': [['10.0.0.1']] }, ['10.0.0.1:8080'])
    expect(await egress.vet('in.test', 8080, callFor())).toEqual([{ address: '10.0.0.1', port: 8080 }])
    expect(await outcome(egress.vet('in.test', 80, callFor()))).toBe('FORBIDDEN')
  })

  it('dials the vetted address even if the name resolves to another one meanwhile', async () => {
    const port = await silent()
    const { egress, names } = await ask({ 'rebind.test': [['127.0.0.1'], ['127.0.0.2']] }, [`127.0.0.1:${port}`])
    await egress.vet('rebind.test', port, callFor())
    const socket = await egress.dial('rebind.test', port, callFor())
    expect(socket.remoteAddress).toBe('127.0.0.1')
    socket.destroy()
    expect(names.questions.filter((question) => question === 'rebind.test A')).toHaveLength(1)
  })

  it('refuses the private address of a name that was public before', async () => {
    const names = await nameServer({ 'rebind.test': [['93.184.216.34'], ['127.0.0.1']] })
    const first = testEgress({ servers: [names.address], allow: [] })
    expect(await first.egress.vet('rebind.test', 80, callFor())).toHaveLength(1)
    first.resolver.close()
    expect(await outcome(first.egress.dial('rebind.test', 80, callFor()))).toBe('FORBIDDEN')
  })

  it('never looks up names of this machine, and accepts only those of their addresses that are allowed', async () => {
    const { egress, names } = await ask({ localhost: [['93.184.216.34']] }, ['127.0.0.1:8080'])
    expect(await egress.vet('localhost', 8080, callFor())).toEqual([{ address: '127.0.0.1', port: 8080 }])
    expect(await egress.vet('app.localhost', 8080, callFor())).toEqual([{ address: '127.0.0.1', port: 8080 }])
    expect(await outcome(egress.vet('localhost', 80, callFor()))).toBe('FORBIDDEN')
    expect(names.questions).toEqual([])
  })

  it('reports that a name does not resolve', async () => {
    const { egress } = await ask({})
    expect(await outcome(egress.vet('nowhere.test', 80, callFor()))).toBe('SCRAPE_DNS_RESOLUTION_ERROR')
  })

  it('does not reveal an address in its refusal', async () => {
    const { egress } = await ask({ 'in.test': [['10.11.12.13']] })
    await expect(egress.vet('in.test', 80, callFor())).rejects.toThrow(/^The address of the page is not one that this service may reach\. Private addresses must be allowed by its operator \(TRAWL_ALLOW_PRIVATE_ADDRESSES\); its own address cannot be\.$/)
  })
})

describe('own and trusted endpoints', () => {
  it('refuses this process even if the allow-list covers it', async () => {
    const { egress, own } = testEgress({ allow: ['0.0.0.0/0', '::/0'] })
    const forget = own.add({ address: '127.0.0.1', port: 4000 })
    expect(await outcome(egress.vet('127.0.0.1', 4000, callFor()))).toBe('FORBIDDEN')
    expect(await outcome(egress.vet('[::ffff:127.0.0.1]', 4000, callFor()))).toBe('FORBIDDEN')
    expect(await outcome(egress.vet('0.0.0.0', 4000, callFor()))).toBe('FORBIDDEN')
    expect(await egress.vet('localhost', 4000, callFor())).toEqual([{ address: '::1', port: 4000 }])
    expect(await egress.vet('127.0.0.1', 4001, callFor())).toHaveLength(1)
    forget()
    expect(await egress.vet('127.0.0.1', 4000, callFor())).toHaveLength(1)
  })

  it('treats a wildcard listener as every address of the machine', () => {
    const own = ownEndpoints()
    own.add({ address: '::', port: 4000 })
    const has = (address: string) => own.has({ address, port: 4000 })
    expect(['127.0.0.1', '127.9.9.9', '::1', '::', '0.0.0.0', '93.184.216.34'].map(has)).toEqual([true, true, true, true, true, false])
  })

  it('reaches a trusted endpoint at exactly its host and port', async () => {
    const names = await nameServer({ 'model.test': [['10.0.0.5']] })
    const { egress } = testEgress({ servers: [names.address], allow: [], trusted: [{ host: 'model.test', port: 9000 }, { host: '127.0.0.1', port: 9000 }] })
    expect(await egress.vet('model.test', 9000, callFor())).toEqual([{ address: '10.0.0.5', port: 9000 }])
    expect(await egress.vet('127.0.0.1', 9000, callFor())).toEqual([{ address: '127.0.0.1', port: 9000 }])
    expect(await outcome(egress.vet('model.test', 9001, callFor()))).toBe('FORBIDDEN')
    expect(await outcome(egress.vet('10.0.0.5', 9000, callFor()))).toBe('FORBIDDEN')
  })

  it('does not reach a closed endpoint by another name or by its address, even if an allow-list covers that', async () => {
    const names = await nameServer({ 'model.test': [['10.0.0.5']], 'alias.test': [['10.0.0.5']] })
    const closed = [{ host: 'model.test', port: 9000 }, { host: 'localhost', port: 9001 }, { host: 'gone.test', port: 9002 }]
    const { egress } = testEgress({ servers: [names.address], allow: ['10.0.0.0/8', '127.0.0.0/8'], closed })
    const at = async (host: string, port: number): Promise<unknown> => outcome(egress.vet(host, port, callFor()))
    for (const host of ['model.test', 'alias.test', '10.0.0.5', '[::ffff:10.0.0.5]']) expect([host, await at(host, 9000)]).toEqual([host, 'FORBIDDEN'])
    for (const host of ['localhost', 'a.localhost', '127.0.0.1', '127.1']) expect([host, await at(host, 9001)]).toEqual([host, 'FORBIDDEN'])
    expect(await at('alias.test', 9003)).toEqual([{ address: '10.0.0.5', port: 9003 }])
    expect(await at('10.0.0.6', 9000)).toEqual([{ address: '10.0.0.6', port: 9000 }])
    expect(await at('10.0.0.5', 9002)).toEqual([{ address: '10.0.0.5', port: 9002 }])
  })

  it('does not reach a closed endpoint at a public address by its name, and leaves that address to the other sites there', async () => {
    const names = await nameServer({ 'store.test': [['93.184.216.34']], 'site.test': [['93.184.216.34']] })
    const { egress } = testEgress({ servers: [names.address], allow: ['93.184.216.34'], closed: [{ host: 'Store.test.', port: 443 }] })
    expect(await outcome(egress.vet('store.test', 443, callFor()))).toBe('FORBIDDEN')
    for (const [host, port] of [['store.test', 80], ['site.test', 443]] as const) expect(await egress.vet(host, port, callFor())).toEqual([{ address: '93.184.216.34', port }])
  })
})

describe('the ports that browsers block', () => {
  const at = async (host: string, port: number, options: Parameters<typeof testEgress>[0] = {}): Promise<unknown> => outcome(testEgress({ allow: [], asBrowsers: true, ...options }).egress.vet(host, port, callFor()))

  it.each([25, 110, 143, 465, 587, 993, 995, 6000, 6667, 6697])('are refused for pages on public hosts: %i', async (port) => expect(await at('93.184.216.34', port)).toBe('FORBIDDEN'))

  it('are open where the operator allows the address with the port, and all others are', async () => {
    const open = [{ address: '93.184.216.34', port: 25 }]
    expect([await at('93.184.216.34', 25, { allow: ['93.184.216.34:25'] }), await at('93.184.216.34', 25, { allow: ['93.184.216.34:26'] }), await at('93.184.216.34', 2525)]).toEqual([open, 'FORBIDDEN', [{ address: '93.184.216.34', port: 2525 }]])
    expect([await at('127.0.0.1', 25, { allow: ['127.0.0.0/8'] }), await at('10.0.0.1', 25)]).toEqual([[{ address: '127.0.0.1', port: 25 }], 'FORBIDDEN'])
  })

  it('are open for endpoints of the operator, and for guards of other traffic', async () => {
    expect(await at('93.184.216.34', 25, { trusted: [{ host: '93.184.216.34', port: 25 }] })).toEqual([{ address: '93.184.216.34', port: 25 }])
    expect(await testEgress({ allow: [] }).egress.vet('93.184.216.34', 25, callFor())).toEqual([{ address: '93.184.216.34', port: 25 }])
  })

  it('are closed for a name of which only one address is allowed', async () => {
    const { address } = await nameServer({ 'mixed.test': [['127.0.0.1', '93.184.216.34']] })
    expect(await at('mixed.test', 25, { servers: [address], allow: ['127.0.0.1:25'] })).toBe('FORBIDDEN')
  })
})

describe('dialling', () => {
  it('moves on to the next address when one refuses', async () => {
    const port = await silent()
    const names = await nameServer({ 'two.test': [['127.0.0.2', '127.0.0.1']] })
    const { egress } = testEgress({ servers: [names.address], allow: ['127.0.0.0/8'] })
    const socket = await egress.dial('two.test', port, callFor())
    expect(socket.remoteAddress).toBe('127.0.0.1')
    socket.destroy()
  })

  it('reports that nothing listens', async () => {
    expect(await outcome(testEgress().egress.dial('127.0.0.1', 1, callFor()))).toBe('SCRAPE_SITE_ERROR')
  })

  it.each(['EMFILE', 'ENFILE', 'ENOBUFS'])('does not blame the site for a machine that has no socket left (%s)', async (code) => {
    vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket) {
      return this.destroy(Object.assign(new Error(`connect ${code} 127.0.0.1:1`), { code }))
    })
    await expect(testEgress().egress.dial('127.0.0.1', 1, callFor())).rejects.toMatchObject({ code: 'OVERLOADED', retryAfterSeconds: 5 })
  })

  it('ends at once when the call ends, during the look-up and the connection', async () => {
    const { egress } = testEgress({ servers: ['127.0.0.1:9'], allow: ['127.0.0.1'] })
    for (const host of ['slow.test', '127.0.0.1']) {
      const ended = new AbortController()
      const work = egress.dial(host, 1, callFor(1_000, ended.signal))
      ended.abort(new Error('gone'))
      await expect(work).rejects.toThrow('gone')
    }
  })
})
