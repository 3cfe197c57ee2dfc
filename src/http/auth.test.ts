import { describe, expect, it } from 'vitest'
import { fakeAccounts } from '../../test/fakes.ts'
import { testKey } from '../../test/service.ts'
import { askerOf, assertMetricsToken, bearer } from './auth.ts'
import type { HttpOptions, HttpPorts } from './ports.ts'

describe('the key in an Authorization header', () => {
  it.each([
    ['Bearer fc-key', 'fc-key'],
    ['bearer  fc-key ', 'fc-key'],
    ['Bearer fc-key more', null],
    ['Basic ZmM6a2V5', null],
    ['fc-key', null],
    ['Bearer ', null],
    [undefined, null],
  ])('of %s is %s', (authorization, key) => expect(bearer({ authorization })).toBe(key))
})

describe('with keys', () => {
  const asked = async (given: string | null, rates: string | null): Promise<unknown> => {
    const used: string[] = []
    const keyByHash: typeof fakeAccounts.keyByHash = async (hash) => {
      const key = await fakeAccounts.keyByHash(hash)
      return key && { ...key, terms: { ...key.terms, rates } }
    }
    const ports = { accounts: { ...fakeAccounts, keyByHash }, keyUsed: (id: string) => void used.push(id) } as Partial<HttpPorts> as HttpPorts // the ports that are used
    const { team, key } = await askerOf(given, {}, { ports, options: { auth: true } as HttpOptions }) // the option that is read
    return [team, key?.id, [...(key?.rates ?? [])], used]
  }

  it('a request is of the team of its key, with the rates of that key, which counts as used', async () => {
    expect(await asked(testKey, null)).toEqual(['default', 'key', [], ['key']])
    expect(await asked(testKey, 'scrape=2/min')).toEqual(['default', 'key', [['scrape', { limit: 2, windowMs: 60_000 }]], ['key']])
  })

  it.each([[null], ['fc-unknown']])('a request with the key %s is of nobody', async (given) => {
    await expect(asked(given, null)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })
})

describe('without keys', () => {
  const options = { auth: false, publicUrl: 'https://trawl.test/base' } as HttpOptions // the options that are read
  const asked = (headers: Readonly<Record<string, string>>): Promise<unknown> => askerOf(null, headers, { ports: {} as HttpPorts, options }) // no port is used

  it.each([[{ host: 'localhost:3002' }], [{ host: '127.0.0.1', origin: 'http://localhost:9' }], [{ host: 'trawl.test', origin: 'https://trawl.test' }]])('a request that names this machine is of the default team: %j', async (headers) => {
    expect(await asked(headers)).toEqual({ team: 'default', key: null })
  })

  it.each([[{}], [{ host: 'rebound.test' }], [{ host: 'localhost', origin: 'https://elsewhere.test' }], [{ host: 'localhost', origin: 'null' }]])('any other is refused: %j', async (headers) => {
    await expect(asked(headers)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})

describe('the metrics', () => {
  it('are open without a token, and with one to those who send it', () => {
    expect(() => assertMetricsToken({}, { metricsToken: null })).not.toThrow()
    expect(() => assertMetricsToken({ authorization: 'Bearer tok-1' }, { metricsToken: 'tok-1' })).not.toThrow()
  })

  it.each([{}, { authorization: 'Bearer fc-0123456789abcdef' }, { authorization: 'Bearer tok-12' }])('are refused otherwise, and the answer names the setting rather than an API key: %j', (headers) => {
    expect(() => assertMetricsToken(headers, { metricsToken: 'tok-1' })).toThrow(expect.objectContaining({ code: 'UNAUTHORIZED', message: expect.stringMatching(/^API keys do not open the metrics: send the token of TRAWL_METRICS_TOKEN/) }))
  })
})
