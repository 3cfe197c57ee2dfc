import { describe, expect, it } from 'vitest'
import { ConfigError, loadConfig } from './config.ts'
import { assertSafe, isLoopbackHost, rolesOf, storeOptions } from './options.ts'

describe('settings', () => {
  it('have defaults that work for a newcomer', () => {
    expect(loadConfig({})).toMatchObject({ TRAWL_HOST: '127.0.0.1', TRAWL_PORT: 3002, TRAWL_DATA_DIR: './data', TRAWL_AUTH: 'on', TRAWL_CREDITS: null, TRAWL_MAX_CONCURRENCY: 100 })
    expect(() => assertSafe(loadConfig({}))).not.toThrow()
  })

  it('take plain DATABASE_URL when their own is not set, and empty for not set', () => {
    expect(loadConfig({ DATABASE_URL: 'postgres://a' }).TRAWL_DATABASE_URL).toBe('postgres://a')
    expect(loadConfig({ DATABASE_URL: 'postgres://a', TRAWL_DATABASE_URL: 'postgres://b' }).TRAWL_DATABASE_URL).toBe('postgres://b')
    expect(loadConfig({ TRAWL_DATABASE_URL: '' }).TRAWL_DATABASE_URL).toBeNull()
  })

  it('say how many connections to Postgres there may be', () => {
    const env = { TRAWL_DATABASE_URL: 'postgres://a' }
    expect(storeOptions(loadConfig(env))).toMatchObject({ kind: 'postgres', maxConnections: 10 })
    expect(storeOptions(loadConfig({ ...env, TRAWL_DATABASE_CONNECTIONS: '25' }))).toMatchObject({ maxConnections: 25 })
    expect(() => loadConfig({ TRAWL_DATABASE_CONNECTIONS: '1' })).toThrow('TRAWL_DATABASE_CONNECTIONS must be at least 2.')
    expect(() => loadConfig({ TRAWL_DATABASE_CONNECTIONS: '1001' })).toThrow('TRAWL_DATABASE_CONNECTIONS must be at most 1000.')
  })

  it('read lists, keys, rates and credits', () => {
    const config = loadConfig({ TRAWL_ZDR_TEAMS: ' a, b ,', TRAWL_API_KEYS: 'a:key-1,b:key:2', TRAWL_RATE_LIMITS: 'scrape=600/min,crawl=5/s', TRAWL_CREDITS: '7' })
    expect(config.TRAWL_ZDR_TEAMS).toEqual(['a', 'b'])
    expect(config.TRAWL_API_KEYS).toEqual([{ team: 'a', key: 'key-1' }, { team: 'b', key: 'key:2' }])
    expect([...config.TRAWL_RATE_LIMITS]).toEqual([['scrape', { limit: 600, windowMs: 60_000 }], ['crawl', { limit: 5, windowMs: 1000 }]])
    expect(config.TRAWL_CREDITS).toBe(7)
  })

  it('read the delays and header names of webhooks', () => {
    expect(loadConfig({})).toMatchObject({ TRAWL_WEBHOOK_RETRY_SCHEDULE_MS: [60_000, 300_000, 900_000], TRAWL_WEBHOOK_SIGNATURE_HEADERS: ['X-Service-Signature', 'X-Firecrawl-Signature'], TRAWL_WEBHOOK_STANDARD_HEADERS: 'off' })
    expect(loadConfig({ TRAWL_WEBHOOK_RETRY_SCHEDULE_MS: 'off' }).TRAWL_WEBHOOK_RETRY_SCHEDULE_MS).toEqual([])
    expect(loadConfig({ TRAWL_WEBHOOK_RETRY_SCHEDULE_MS: ' 1, 20' }).TRAWL_WEBHOOK_RETRY_SCHEDULE_MS).toEqual([1, 20])
  })

  it.each([{ TRAWL_WEBHOOK_RETRY_SCHEDULE_MS: '1,soon' }, { TRAWL_WEBHOOK_RETRY_SCHEDULE_MS: '-1' }, { TRAWL_WEBHOOK_RETRY_SCHEDULE_MS: '99999999999' }, { TRAWL_WEBHOOK_SIGNATURE_HEADERS: 'Host' }, { TRAWL_WEBHOOK_SIGNATURE_HEADERS: 'X-A\r\nX-B' }, { TRAWL_WEBHOOK_SIGNATURE_HEADERS: ',' }])(
    'of webhooks that cannot be used stop the start: %j',
    (env) => expect(() => loadConfig(env)).toThrow(ConfigError),
  )

  it.each([{ TRAWL_PORT: '70000' }, { TRAWL_CREDITS: 'many' }, { TRAWL_RATE_LIMITS: 'fast' }, { TRAWL_API_KEYS: 'nocolon' }, { TRAWL_AUTH: 'maybe' }, { TRAWL_NOPE: '1' }, { TRAWL_LLM_API_KEY_FILE: '/no/such/file' }])(
    'stop the start: %j',
    (env) => expect(() => loadConfig(env)).toThrow(ConfigError),
  )

  it.each([
    { TRAWL_AUTH: 'off', TRAWL_HOST: '0.0.0.0' }, { TRAWL_UNSAFE_CODE_EXECUTION: 'on', TRAWL_HOST: '0.0.0.0' }, { TRAWL_ROLES: 'api' }, { TRAWL_ROLES: 'cook' }, { TRAWL_DATABASE_URL: 'mysql://x' }, { TRAWL_BLOB_URL: 's3://bucket' }, { TRAWL_CRASH_POINT: '0' }, { TRAWL_CRASH_POINT: 'soon' },
  ])('must not be combined: %j', (env) => expect(() => assertSafe(loadConfig(env))).toThrow(ConfigError))

  it('know roles and loopback addresses', () => {
    expect([rolesOf('all'), rolesOf('worker'), rolesOf('worker,api')]).toEqual([['api', 'worker'], ['worker'], ['worker', 'api']])
    expect(['127.0.0.1', '127.9.9.9', 'localhost', '::1', '0.0.0.0', '10.0.0.1', '::'].map(isLoopbackHost)).toEqual([true, true, true, true, false, false, false])
  })
})
