import { describe, expect, it } from 'vitest'
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
