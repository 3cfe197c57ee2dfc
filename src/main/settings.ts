import { isIP } from 'node:net'
import { modelProviders } from '../domain/model.ts'
import { parseUpstreams, type Upstream } from '../domain/proxies.ts'
import { parseRates, type Rates } from '../domain/rates.ts'
import { urlOf } from '../lib/url-of.ts'

/** One setting: how its text is read, what it means, whether its value may be shown. */
export interface Setting<T = unknown> {
  /** The value of a text, or of none; throws an `Error` that says what is wrong with it. */
  readonly read: (text: string | undefined) => T
  readonly description: string
  readonly secret: boolean
  /** The default as a reader of the documentation sees it. */
  readonly shown: string
}

const setting = <T>(fallback: string, description: string, read: (text: string) => T): Setting<T> => ({ read: (text = fallback) => read(text), description, secret: false, shown: fallback })

const text = (fallback: string, description: string): Setting<string> => setting(fallback, description, (value) => value)
const optional = (description: string): Setting<string | null> => ({ read: (value) => value ?? null, description, secret: false, shown: '' })
const secret = (description: string): Setting<string | null> => ({ ...optional(description), secret: true })

const integer = (fallback: number, min: number, max: number, description: string): Setting<number> =>
  setting(String(fallback), description, (value) => {
    if (!/^\d+$/.test(value)) throw new Error('must be a whole number')
    if (Number(value) < min) throw new Error(`must be at least ${min}`)
    if (Number(value) > max) throw new Error(`must be at most ${max}`)
    return Number(value)
  })

const oneOf = <const T extends readonly [string, ...string[]]>(values: T, fallback: T[number], description: string): Setting<T[number]> =>
  setting(fallback, description, (value) => {
    const known = values.find((one) => one === value)
    if (known === undefined) throw new Error(`must be one of ${values.join(', ')}`)
    return known
  })

const split = (value: string): string[] => value.split(',').map((part) => part.trim()).filter((part) => part !== '')
const list = (description: string): Setting<string[]> => setting('', description, split)

const keys: Setting<{ team: string; key: string }[]> = {
  ...setting('', 'Keys seeded at start: `team:key,team:key`; keys of 16 to 128 letters, digits, dashes and underscores.', (value) =>
    split(value).map((entry) => {
      const colon = entry.indexOf(':')
      if (colon < 1) throw new Error('must be a comma list of team:key')
      return { team: entry.slice(0, colon), key: entry.slice(colon + 1) }
    }),
  ),
  secret: true,
}

function upstreamsIn(value: string): readonly Upstream[] {
  try {
    return parseUpstreams(split(value))
  } catch (error) {
    throw new Error(`cannot be used: ${error instanceof Error ? error.message : 'it cannot be read'}`, { cause: error })
  }
}

const proxies = (description: string): Setting<readonly Upstream[]> => ({ ...setting('', description, upstreamsIn), secret: true })

/** An address for people and other programs; `schemes` is what it may start with. */
const address = (schemes: readonly string[], description: string): Setting<string | null> => ({
  ...optional(description),
  read(value) {
    if (value === undefined) return null
    const url = urlOf(value)
    if (url === null || url.hostname === '' || !schemes.includes(url.protocol.slice(0, -1))) throw new Error(`must be an address that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`)
    return value
  },
})

/** What paths are put behind: more than a path at its end would be in their way. */
const base = (description: string): Setting<string | null> => {
  const { read, ...rest } = address(['http', 'https'], description)
  return {
    ...rest,
    read(value) {
      const text = read(value)
      const url = text === null ? null : urlOf(text)
      if (url !== null && `${url.username}${url.password}${url.search}${url.hash}` !== '') throw new Error('must have no credentials, query or fragment')
      return text
    },
  }
}

const host: Setting<string> = setting('127.0.0.1', 'Address to listen on.', (value) => {
  const bare = value.replace(/^\[(.*)\]$/, '$1')
  if (isIP(bare) === 0 && !/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(bare)) throw new Error('must be an IP address or a host name, without scheme and port')
  return bare
})

const servers = (description: string): Setting<readonly string[]> =>
  setting('', description, (value) => {
    const entries = split(value)
    const usable = entries.every((entry) => {
      const [, v6, v4 = v6 ?? entry, port = '53'] = /^(?:\[(.*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(entry) ?? []
      return isIP(v4) !== 0 && Number(port) >= 1 && Number(port) <= 65_535
    })
    if (!usable) throw new Error('must be a comma list of ip:port')
    return entries
  })

/** Sent as a header by whoever asks with it. */
const bearer = (description: string): Setting<string | null> => ({
  ...secret(description),
  read(value) {
    if (value !== undefined && !/^[\x21-\x7e]+$/.test(value)) throw new Error('must consist of visible ASCII characters, without spaces')
    return value ?? null
  },
})

const maxDelayMs = 31 * 86_400_000

const delays = (fallback: string, description: string): Setting<readonly number[]> =>
  setting(fallback, description, (value) => {
    const entries = value === 'off' ? [] : split(value)
    const usable = entries.length <= 20 && entries.every((entry) => /^\d+$/.test(entry) && Number(entry) <= maxDelayMs)
    if (!usable) throw new Error('must be off or a comma list of up to 20 delays in milliseconds, none over 31 days')
    return entries.map(Number)
  })

// A name of HTTP's own would change what the message means.
const names = (fallback: string, description: string): Setting<readonly string[]> =>
  setting(fallback, description, (value) => {
    const entries = split(value)
    if (entries.length === 0 || !entries.every((entry) => /^x-[a-z0-9-]+$/i.test(entry))) throw new Error('must be a comma list of header names that start with X-')
    return entries
  })

const rates: Setting<Rates> = setting('off', 'Requests per key and kind, counted by each process: `scrape=600/min,scrapeStatus=50/s`, or `off`. `trawl keys set` and `trawl teams set` set others for single keys and teams.', parseRates)

const maxCredits = 1_000_000_000_000

const credits: Setting<number | null> = setting('off', 'Credits of each new team; `off`: counted, and refused to those teams and keys alone that `trawl credits`, `trawl teams` and `trawl keys` limit.', (value) => {
  if (value !== 'off' && !/^\d+$/.test(value)) throw new Error('must be off or a whole number')
  if (Number(value) > maxCredits) throw new Error(`must be at most ${maxCredits}`)
  return value === 'off' ? null : Number(value)
})

const hour = 8_760 * 100

/** Every setting of the service; the only place that names them. */
export const settings = {
  TRAWL_HOST: host,
  TRAWL_PORT: integer(3002, 0, 65_535, 'Port to listen on; 0 takes a free one.'),
  TRAWL_PUBLIC_URL: base('Base of the URLs that are handed out; default: taken from each request.'),
  TRAWL_ROLES: text('all', 'What this process does: `all`, or a comma list of `api` and `worker` (apart only with Postgres).'),
  TRAWL_DATA_DIR: text('./data', 'Folder of the embedded store and of blobs.'),
  TRAWL_DATABASE_URL: secret('`postgres://…` to scale out; default: the embedded store. Plain `DATABASE_URL` is read when this is not set.'),
  TRAWL_DATABASE_CONNECTIONS: integer(10, 2, 1_000, 'Connections of this process to Postgres at most, beside one by which it hears of work.'),
  TRAWL_API_KEYS: keys,
  TRAWL_AUTH: oneOf(['on', 'off'], 'on', '`off`: every request is team `default`; only on a loopback address.'),
  TRAWL_ALLOW_PRIVATE_ADDRESSES: list('Private addresses that pages may be fetched from: a comma list of `ip:port` (IPv6 in brackets) or `cidr[:port]`, compared with the resolved address.'),
  TRAWL_WEBHOOK_ALLOW_PRIVATE_ADDRESSES: list('The same for webhook receivers; one never opens the other.'),
  TRAWL_EGRESS_DNS_SERVERS: servers('Resolvers for every outbound name: a comma list of `ip:port`; default: the system resolver.'),
  TRAWL_MAX_CONCURRENCY: integer(100, 1, 10_000, 'Scrapes in flight in this process.'),
  TRAWL_TEAM_CONCURRENCY: integer(100, 1, 10_000, 'Scrapes in flight of one team, over the whole fleet.'),
  TRAWL_BODY_MEMORY_BYTES: integer(256 * 1024 ** 2, 0, Number.MAX_SAFE_INTEGER, 'Memory for page bodies of more than 1 MB that are under way in this process; more of them wait, as long as their time lasts. One of any size is always let in.'),
  TRAWL_PROCESS_QUEUE: integer(1_000, 0, 1_000_000, 'Requests that may wait for a place in this process; more are answered 503.'),
  TRAWL_TEAM_QUEUE: integer(50_000, 0, 10_000_000, 'Requests and pages of one team that may wait; more are answered 429.'),
  TRAWL_RATE_LIMITS: rates,
  TRAWL_RETENTION_HOURS: integer(24, 1, hour, 'How long jobs and their results can be asked for.'),
  TRAWL_CACHE_MAX_BYTES: integer(10 * 1024 ** 3, 0, Number.MAX_SAFE_INTEGER, 'Size of the page cache; what was used longest ago goes first.'),
  TRAWL_CREDITS: credits,
  TRAWL_ZDR_TEAMS: list('Teams that may ask for zero data retention, beside those of `trawl teams`; `*` for all.'),
  TRAWL_IGNORE_ROBOTS_TEAMS: list('Teams that may ignore robots.txt, beside those of `trawl teams`; `*` for all.'),
  TRAWL_ENTERPRISE_SEARCH_TEAMS: list('Teams that may use enterprise search, beside those of `trawl teams`; `*` for all.'),
  TRAWL_METRICS_TOKEN: bearer('Bearer token of /metrics. Beyond loopback nobody gets the metrics without it; on loopback they are open without it, to whoever comes through a proxy on this machine too.'),
  TRAWL_LOG_LEVEL: oneOf(['debug', 'info', 'warn', 'error', 'silent'], 'info', 'Least level of the log lines that are written.'),
  TRAWL_WARM_UP: oneOf(['on', 'off'], 'on', 'Read some pages of our own making after the start, in idle time, so that the first real ones are read as fast as later ones: one to three seconds of CPU.'),
  TRAWL_LEASE_MS: integer(15_000, 1_000, 3_600_000, 'How long a worker may be silent before its work is given to another.'),
  TRAWL_BLOB_URL: optional('Where page bodies, results and files are kept; default: the embedded store for what is up to 64 KB compressed, `blobs` in the data folder for the rest. `file:` with an absolute path, or `s3://bucket/prefix?endpoint=https://host:port&region=name` for a store that speaks S3 (`pathStyle=false` where the bucket belongs into the host name).'),
  TRAWL_S3_ACCESS_KEY_ID: secret('Access key of that store.'),
  TRAWL_S3_SECRET_ACCESS_KEY: secret('Its secret.'),
  TRAWL_WEBHOOK_SECRET: secret('Key of webhook signatures.'),
  TRAWL_WEBHOOK_SIGNATURE_HEADERS: names('X-Service-Signature,X-Firecrawl-Signature', 'Headers that carry the signature of a webhook.'),
  TRAWL_WEBHOOK_STANDARD_HEADERS: oneOf(['on', 'off'], 'off', 'Sign webhooks by the Standard Webhooks convention too (`Webhook-Id`, `Webhook-Timestamp`, `Webhook-Signature`).'),
  TRAWL_WEBHOOK_RETRY_SCHEDULE_MS: delays('60000,300000,900000', 'Delays between webhook attempts, a comma list in milliseconds, or `off`.'),
  TRAWL_WEBHOOK_DEFAULT_URL: optional('Webhook of jobs that name none.'),
  TRAWL_BROWSER_CONCURRENCY: optional('Rendered pages at once in this process; default: two per core.'),
  TRAWL_MAX_BROWSER_SESSIONS: integer(5, 0, 10_000, 'Live browser sessions of one team.'),
  TRAWL_TEAM_PROFILES: integer(100, 0, 1_000_000, 'Browser profiles that are kept of one team.'),
  TRAWL_TEAM_PROFILE_BYTES: integer(1024 ** 3, 0, Number.MAX_SAFE_INTEGER, 'What they may hold together.'),
  TRAWL_SESSION_TTL_SECONDS: integer(600, 30, 86_400, 'Life of a browser session.'),
  TRAWL_SESSION_IDLE_SECONDS: integer(300, 10, 86_400, 'Idle time after which a browser session ends.'),
  TRAWL_CHROMIUM_PATH: optional('Path of a Chromium to use.'),
  TRAWL_CDP_URL: address(['http', 'https', 'ws', 'wss'], 'Address of a running Chromium to use.'),
  TRAWL_FILTER_LISTS: text('auto', 'Advertisement filter lists beside our own: `auto` (those of the system, and public ones brought weekly when pages are rendered), `off`, or a folder of `*.txt` files.'),
  TRAWL_PROXY_BASIC: proxies('Upstream proxies that pages are fetched through: a comma list of `http://user:pass@host:port#country=DE` (user, password and country may be left out); default: none, pages are fetched directly.'),
  TRAWL_PROXY_ENHANCED: proxies('Upstream proxies for `proxy: enhanced` and for pages that `proxy: auto` does not get otherwise, in the same form.'),
  TRAWL_LLM_PROVIDER: oneOf(modelProviders, 'openai-compatible', 'Kind of language-model server: `openai-compatible` (Ollama, vLLM, LM Studio, OpenRouter and many others), `openai`, `anthropic` or `google`.'),
  TRAWL_LLM_BASE_URL: optional('Base URL of the language-model server, up to and with the version (`http://127.0.0.1:11434/v1`); the last three providers have one of their own.'),
  TRAWL_LLM_API_KEY: secret('Key of the language-model server.'),
  TRAWL_LLM_MODEL: optional('Name of the language model; none is used without.'),
  TRAWL_LLM_LONG_MODEL: optional('Name of the model for texts that do not fit the other.'),
  TRAWL_LLM_PROXY: proxies('Proxy for calls to the language model: `http://user:pass@host:port`.'),
  TRAWL_LLM_TIMEOUT_MS: integer(60_000, 1_000, 3_600_000, 'Time for one call to the language model; never more than the request has left.'),
  TRAWL_LLM_MAX_TOKENS: integer(4_096, 64, 1_000_000, 'Most tokens of one answer of the language model.'),
  TRAWL_LLM_INPUT_TOKENS: integer(12_000, 500, 10_000_000, 'Most tokens of one question to it; longer texts go to the model for long texts, or in parts.'),
  TRAWL_LLM_LONG_INPUT_TOKENS: integer(100_000, 500, 10_000_000, 'The same of the model for long texts.'),
  TRAWL_AGENT_MAX_STEPS: integer(30, 1, 1_000, 'Steps that the agent may take for one `prompt` in a session.'),
  TRAWL_AGENT_MAX_TOKENS: integer(300_000, 1_000, 100_000_000, 'Tokens that one `prompt` in a session may use, questions and answers together.'),
  TRAWL_OCR: oneOf(['auto', 'off'], 'auto', '`auto`: scanned pages of PDF files and pictures are read by the programs `tesseract` and `pdftoppm` where this machine has them.'),
  TRAWL_OCR_LANGUAGES: text('eng', 'Languages that text recognition expects, by the names of its language files, joined with `+`: `eng+deu`.'),
  TRAWL_MEDIA_EXTRACTOR: text('auto', 'Program that finds the media of hosts with players of their own: `auto` is `yt-dlp` where this machine has it, `off` is none, else the path of a program with the options of that one. It runs behind walls (`bubblewrap`), or not at all.'),
  TRAWL_TEMPLATE_LEARNING: oneOf(['on', 'off'], 'on', 'Learn selectors from model answers within a job.'),
  TRAWL_SEARCH_PROVIDERS: list('Search providers, first choice first: a comma list of `searxng`, `brave`, `serper`, `tavily`, `exa`, `google`, and `duckduckgo` and `mojeek`, which need no key and read result pages; default: those whose address or key is set, in this order. Our own index comes last in any case.'),
  TRAWL_SEARXNG_URL: optional('Base URL of a SearXNG (or searx) server; its settings must allow the format `json`.'),
  TRAWL_BRAVE_API_KEY: secret('Key of Brave Search.'),
  TRAWL_SERPER_API_KEY: secret('Key of Serper.'),
  TRAWL_TAVILY_API_KEY: secret('Key of Tavily.'),
  TRAWL_EXA_API_KEY: secret('Key of Exa.'),
  TRAWL_GOOGLE_CSE_API_KEY: secret('Key of Google Custom Search.'),
  TRAWL_GOOGLE_CSE_ID: optional('Search engine id of Google Custom Search.'),
  TRAWL_PEER_URL: optional('Address under which other processes of the fleet reach this one.'),
  TRAWL_PEER_SECRET: secret('Secret that processes of the fleet share.'),
  TRAWL_UNSAFE_CODE_EXECUTION: oneOf(['on', 'off'], 'off', 'Run user code without a sandbox; only for one person on loopback.'),
  TRAWL_CRASH_POINT: optional('Tests only: end the process at the n-th commit of the store, from the first job on that it starts.'),
} as const

export type SettingName = keyof typeof settings
