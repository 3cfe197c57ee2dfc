import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ConfigError, describeConfig, homeOf, loadConfig } from './config.ts'
import { assertSafe, baseUrl, isLoopbackHost, listeningUrl, rolesOf, storeOptions } from './options.ts'
import { openStoreOf } from '../parts/store.ts'
import { assertUsable } from './usable.ts'

describe('settings', () => {
  it('have defaults that work for a new user', () => {
    expect(loadConfig({})).toMatchObject({ TRAWL_HOST: '127.0.0.1', TRAWL_PORT: 3002, TRAWL_DATA_DIR: './data', TRAWL_AUTH: 'on', TRAWL_CREDITS: null, TRAWL_MAX_CONCURRENCY: 100 })
    expect(() => assertSafe(loadConfig({}))).not.toThrow()
  })

  it('fall back to plain DATABASE_URL, and treat empty values as not set', () => {
    expect(loadConfig({ DATABASE_URL: 'postgres://a' }).TRAWL_DATABASE_URL).toBe('postgres://a')
    expect(loadConfig({ DATABASE_URL: 'postgres://a', TRAWL_DATABASE_URL: 'postgres://b' }).TRAWL_DATABASE_URL).toBe('postgres://b')
    expect([loadConfig({ TRAWL_DATABASE_URL: '' }).TRAWL_DATABASE_URL, loadConfig({ DATABASE_URL: '' }).TRAWL_DATABASE_URL]).toEqual([null, null])
  })

  it('limit the connections to Postgres', () => {
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

  it.each([
    ['TRAWL_HOST', 'http://localhost'], ['TRAWL_HOST', 'localhost:3002'], ['TRAWL_PUBLIC_URL', 'trawl.example'], ['TRAWL_PUBLIC_URL', 'ftp://trawl.example'], ['TRAWL_PUBLIC_URL', 'https://trawl.example/?a=b'], ['TRAWL_PEER_URL', 'worker:3002'], ['TRAWL_PEER_URL', 'http://u:pw@worker:3002/'], ['TRAWL_EGRESS_DNS_SERVERS', 'resolver'], ['TRAWL_EGRESS_DNS_SERVERS', '1.1.1.1:70000'],
    ['TRAWL_METRICS_TOKEN', 'two words'], ['TRAWL_CREDITS', '99999999999999999999'], ['TRAWL_CDP_URL', 'chrome'], ['TRAWL_BLOB_URL', 'file:'], ['TRAWL_BLOB_URL', 'file:blobs'], ['TRAWL_BLOB_URL', 'file:/'], ['TRAWL_BLOB_URL', 'file://host/blobs'],
    ['TRAWL_API_KEYS', 'a:fc-0123456789abcdef,b:fc-0123456789abcdef'], ['TRAWL_API_KEYS', 'a b:fc-0123456789abcdef'], ['TRAWL_RATE_LIMITS', 'nothing=1/s'], ['TRAWL_SEARCH_PROVIDERS', 'bing'], ['TRAWL_GOOGLE_CSE_API_KEY', 'alone'], ['TRAWL_WEBHOOK_DEFAULT_URL', 'receiver'], ['TRAWL_ALLOW_PRIVATE_ADDRESSES', 'localhost:80'],
    ['TRAWL_ZDR_TEAMS', 'a b'], ['TRAWL_IGNORE_ROBOTS_TEAMS', '*,-a'], ['TRAWL_ENTERPRISE_SEARCH_TEAMS', 'a*'], ['TRAWL_LLM_MODEL', 'alone'], ['TRAWL_LLM_BASE_URL', 'http://127.0.0.1:1/v1'], ['TRAWL_LLM_BASE_URL', 'http://u:pw@127.0.0.1:1/v1'], ['TRAWL_SEARXNG_URL', 'searx:8080'], ['TRAWL_SEARXNG_URL', 'http://127.0.0.1:1/?q=x'], ['TRAWL_BROWSER_CONCURRENCY', '0'], ['TRAWL_BROWSER_CONCURRENCY', '1e3'], ['TRAWL_RATE_LIMITS', 'scrape=1/s,scrape=2/s'], ['TRAWL_FILTER_LISTS', '/no/such/folder'], ['TRAWL_MEDIA_EXTRACTOR', '/no/such/program'],
    ['TRAWL_OCR_LANGUAGES', 'eng,deu'], ['TRAWL_OCR_LANGUAGES', 'eng deu'], ['TRAWL_OCR_LANGUAGES', '-h'], ['TRAWL_OCR_LANGUAGES', 'eng+'],
  ])('that no service can start with are refused by name: %s=%s', (name, value) => {
    const use = (): void => assertUsable(loadConfig({ [name]: value }))
    expect(use).toThrow(ConfigError)
    expect(use).toThrow(name)
  })

  const model = { TRAWL_LLM_BASE_URL: 'http://127.0.0.1:1/v1', TRAWL_LLM_MODEL: 'small' }
  const store = { TRAWL_BLOB_URL: 's3://bucket?endpoint=http://127.0.0.1:1', TRAWL_S3_ACCESS_KEY_ID: 'id', TRAWL_S3_SECRET_ACCESS_KEY: 'secret' }
  it.each([
    [{ TRAWL_S3_ACCESS_KEY_ID: 'id' }, 'TRAWL_S3_ACCESS_KEY_ID is of no use without TRAWL_BLOB_URL with s3://.', store],
    [{ TRAWL_S3_SECRET_ACCESS_KEY: 'secret', TRAWL_BLOB_URL: 'file:/mnt/trawl' }, 'TRAWL_S3_SECRET_ACCESS_KEY is of no use without TRAWL_BLOB_URL with s3://.', store],
    [{ TRAWL_LLM_API_KEY: 'key' }, 'TRAWL_LLM_API_KEY is of no use without TRAWL_LLM_MODEL.', model],
    [{ TRAWL_LLM_PROXY: 'http://u:secret@p:1' }, 'TRAWL_LLM_PROXY is of no use without TRAWL_LLM_MODEL.', model],
    [{ TRAWL_LLM_PROVIDER: 'google' }, 'TRAWL_LLM_PROVIDER is of no use without TRAWL_LLM_MODEL.', { ...model, TRAWL_LLM_API_KEY: 'key' }],
    [{ TRAWL_LLM_TIMEOUT_MS: '5000' }, 'TRAWL_LLM_TIMEOUT_MS is of no use without TRAWL_LLM_MODEL.', model],
    [{ TRAWL_AGENT_MAX_STEPS: '5' }, 'TRAWL_AGENT_MAX_STEPS is of no use without TRAWL_LLM_MODEL.', model],
    [{ TRAWL_LLM_LONG_INPUT_TOKENS: '5000', ...model }, 'TRAWL_LLM_LONG_INPUT_TOKENS is of no use without TRAWL_LLM_LONG_MODEL.', { TRAWL_LLM_LONG_MODEL: 'large' }],
    [{ TRAWL_DATABASE_CONNECTIONS: '25' }, 'TRAWL_DATABASE_CONNECTIONS is of no use without TRAWL_DATABASE_URL.', { TRAWL_DATABASE_URL: 'postgres://a' }],
  ])('that nothing would use stop the start: %j', (env, message, more) => {
    expect(() => assertUsable(loadConfig(env))).toThrow(new ConfigError(message))
    expect(() => assertUsable(loadConfig({ ...env, ...more }))).not.toThrow()
  })

  it('that nothing would use may have their defaults', () => {
    expect(() => assertUsable(loadConfig({ TRAWL_S3_ACCESS_KEY_ID: '', TRAWL_LLM_API_KEY: '', TRAWL_LLM_PROVIDER: 'openai-compatible', TRAWL_LLM_TIMEOUT_MS: '60000', TRAWL_LLM_LONG_INPUT_TOKENS: '100000', TRAWL_DATABASE_CONNECTIONS: '10' }))).not.toThrow()
  })

  it('refuse a webhook secret that libraries of Standard Webhooks cannot read, where deliveries have their headers', () => {
    const use = (env: Readonly<Record<string, string>>): void => assertUsable(loadConfig({ TRAWL_WEBHOOK_SECRET: 'whsec_%%%', ...env }))
    expect(() => use({ TRAWL_WEBHOOK_STANDARD_HEADERS: 'on' })).toThrow(new ConfigError('TRAWL_WEBHOOK_SECRET starts with whsec_, so the rest must be base64 (TRAWL_WEBHOOK_STANDARD_HEADERS=on).'))
    expect(() => use({})).not.toThrow()
  })

  it.each(['p:3128', 'socks5://u:s3cret@p:1080', 'http://u:s3cret@p:1,http://u:s3cret@q:2', 'http://u:s3cret@p,http://q', 'http://u:s3cret@p:1#country=DE', 'http://p:0', ','])('refuse a proxy of the model that is not exactly one, without its text, with or without a model: %s', (value) => {
    expect(() => loadConfig({ TRAWL_LLM_PROXY: value })).toThrow(new ConfigError('TRAWL_LLM_PROXY must be one proxy of the form http://user:pass@host:port.'))
  })

  it.each(['eng', 'eng+deu', 'chi_sim+script/Latin', 'deu-frak'])('accept languages of text recognition: %s', (value) => expect(loadConfig({ TRAWL_OCR_LANGUAGES: value }).TRAWL_OCR_LANGUAGES).toBe(value))

  it('are shown as they are, with those that were not set as defaults', () => {
    const lines = describeConfig({ TRAWL_PORT: '4000', TRAWL_WEBHOOK_SECRET: 's3cret' }).split('\n')
    expect(['TRAWL_PORT', 'TRAWL_WEBHOOK_SECRET', 'TRAWL_HOST'].map((name) => lines.find((line) => line.startsWith(`${name}=`)))).toEqual(['TRAWL_PORT=4000', 'TRAWL_WEBHOOK_SECRET=********', 'TRAWL_HOST=127.0.0.1  (default)'])
  })

  it.each(['TRAWL_CDP_URL', 'TRAWL_WEBHOOK_DEFAULT_URL'])('that are addresses, and may have keys in them, are shown masked: %s', (name) => expect(describeConfig({ [name]: 'https://host.example/?token=s3cret' })).toContain(`${name}=********\n`))

  it.each(['fc-0123456789abcdef:team', 'team:fc-0123456789abcdef!', 'fc-0123456789abcdef x:team', 'a:fc-0123456789abcdef,fc-fedcba9876543210:fc-0123456789abcdef', 'fc-0123456789abcdef'])('that hold keys are not quoted by the error: %s', (value) => {
    const use = (): void => assertUsable(loadConfig({ TRAWL_API_KEYS: value }))
    expect(use).toThrow(/^(?:TRAWL_API_KEYS)/)
    expect(use).not.toThrow(/0123456789|fedcba/)
  })

  it('accept an IPv6 address with or without brackets, and a repeated key of one team', () => {
    expect([loadConfig({ TRAWL_HOST: '[::1]' }).TRAWL_HOST, loadConfig({ TRAWL_HOST: '::1' }).TRAWL_HOST]).toEqual(['::1', '::1'])
    expect(() => assertUsable(loadConfig({ TRAWL_API_KEYS: 'a:fc-0123456789abcdef,a:fc-0123456789abcdef', TRAWL_EGRESS_DNS_SERVERS: '1.1.1.1,1.1.1.1:53,::1,[::1],[::1]:53', TRAWL_PUBLIC_URL: 'https://trawl.example/base/', TRAWL_BLOB_URL: 'file:/mnt/trawl', TRAWL_ZDR_TEAMS: '*', TRAWL_IGNORE_ROBOTS_TEAMS: 'a,b.c' }))).not.toThrow()
  })

  it.each([['TRAWL_PROT', 'TRAWL_PORT'], ['TRAWL_LLM_KEY', 'TRAWL_LLM_API_KEY'], ['TRAWL_BLOB_URL_FILE', 'TRAWL_BLOB_URL'], ['TRAWL_PORT_FILE', 'TRAWL_PORT'], ['TRAWL_API_KEY', 'TRAWL_API_KEYS']])('that are unknown get a suggestion: %s', (name, known) => expect(() => loadConfig({ [name]: '1' })).toThrow(`did you mean ${known}?`))

  it('that only secrets have are told as such', () => expect(() => loadConfig({ TRAWL_PORT_FILE: '/run/port' })).toThrow('Unknown setting TRAWL_PORT_FILE; did you mean TRAWL_PORT? Only secrets are read from files.'))

  it('that resemble none get a hint where all are listed', () => expect(() => loadConfig({ TRAWL_FOO: '1' })).toThrow('Unknown setting TRAWL_FOO; "trawl config" lists them all.'))

  it('from files are refused if the file is empty', () => {
    const folder = mkdtempSync(join(tmpdir(), 'trawl-settings-'))
    const file = join(folder, 'token')
    writeFileSync(file, '\n')
    expect(() => loadConfig({ TRAWL_METRICS_TOKEN_FILE: file })).toThrow('The file that TRAWL_METRICS_TOKEN_FILE names is empty.')
    rmSync(folder, { recursive: true })
  })

  it('say what to do about a data folder that is a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'trawl-settings-'))
    const file = join(folder, 'data')
    writeFileSync(file, '')
    const open = (dataDir: string) => openStoreOf(loadConfig({ TRAWL_DATA_DIR: dataDir }), { admin: true })
    await expect(open(file)).rejects.toThrow(new RegExp(`^The data folder ${file} \\(TRAWL_DATA_DIR\\) cannot be used: EEXIST: .+; name a folder, or a place where one can be made\\.$`))
    await expect(open(join(file, 'below'))).rejects.toThrow(/ENOTDIR: .+; name a folder, or a place where one can be made\.$/)
    rmSync(folder, { recursive: true })
  })

  it('name the data folder if it cannot be used', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'trawl-settings-'))
    writeFileSync(join(folder, 'trawl.db'), 'This is no database, but a text that is long enough to be taken for one.'.repeat(20))
    await expect(openStoreOf(loadConfig({ TRAWL_DATA_DIR: folder }), { admin: true })).rejects.toThrow(`The data folder ${folder} (TRAWL_DATA_DIR) cannot be used: file is not a database.`)
    rmSync(folder, { recursive: true })
  })

  it('determine the listening address, and the address for people on this machine', () => {
    expect(['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost'].map((host) => [listeningUrl(host, 1), baseUrl(host, 1)])).toEqual([
      ['http://127.0.0.1:1', 'http://127.0.0.1:1'], ['http://0.0.0.0:1', 'http://127.0.0.1:1'], ['http://[::]:1', 'http://[::1]:1'], ['http://[::1]:1', 'http://[::1]:1'], ['http://localhost:1', 'http://localhost:1'],
    ])
  })

  it('name one server of Postgres, and refuse several with a reason', () => {
    const storeAt = (url: string) => storeOptions(loadConfig({ TRAWL_DATABASE_URL: url }))
    const one = ['postgres://a', 'postgres://u:p,q@a:5432/db,x?application_name=a,b', 'postgres://u@/db?host=/run/postgresql', 'postgresql://[::1]:5432/db']
    expect(one.map((url) => storeAt(url).kind)).toEqual(one.map(() => 'postgres'))
    for (const url of ['postgres://a:5432,b:5432/db', 'postgresql://u:p@a,b/db?target_session_attrs=read-write', 'postgres://u@/db?user=x&host=a,b'])
      expect(() => storeAt(url)).toThrow(new ConfigError('TRAWL_DATABASE_URL (or DATABASE_URL) must name one server: of several, give an address that leads to the one that takes writes.'))
  })

  it('may have the largest number that they can take', () => {
    expect(loadConfig({ TRAWL_PORT: '65535' }).TRAWL_PORT).toBe(65_535)
  })

  it('distinguish roles and loopback addresses', () => {
    expect([rolesOf('all'), rolesOf('worker'), rolesOf('worker,api')]).toEqual([['api', 'worker'], ['worker'], ['worker', 'api']])
    expect(['127.0.0.1', '127.9.9.9', 'localhost', '::1', '0.0.0.0', '10.0.0.1', '::', '127.example.com'].map(isLoopbackHost)).toEqual([true, true, true, true, false, false, false, false])
  })
})

describe('the home of the user', () => {
  it('is null for a user that has none, or that the system does not know, and libraries get an answer', () => {
    vi.stubEnv('HOME', undefined)
    onTestFinished(() => void vi.unstubAllEnvs())
    const unknown = (): never => { throw new Error('uv_os_homedir returned ENOENT') }
    expect([homeOf(() => '/srv/ann'), homeOf(() => ''), homeOf(() => '/nonexistent'), process.env['HOME']]).toEqual(['/srv/ann', null, null, undefined])
    expect([homeOf(unknown), process.env['HOME'], homeOf()]).toEqual([null, '/nonexistent', null])
  })
})
