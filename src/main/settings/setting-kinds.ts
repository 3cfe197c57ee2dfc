/** The kinds of settings: how a text becomes a value, and the error for an invalid one. */
import { isIP } from 'node:net'
import { parseUpstream, parseUpstreams, type Upstream } from '../../domain/fetching/proxies.ts'
import { maxCredits } from '../../domain/teams/credits.ts'
import { parseRates, type Rates } from '../../domain/teams/rates.ts'
import { urlOf } from '../../lib/url-of.ts'

/** A setting: how its text is read, what it means, and whether its value may be shown. */
export interface Setting<T = unknown> {
  /** The value of a text, or of a missing one; throws an `Error` that says what is wrong. */
  readonly read: (text: string | undefined) => T
  readonly description: string
  readonly secret: boolean
  /** The default as shown in the documentation. */
  readonly shown: string
}

const setting = <T>(fallback: string, description: string, read: (text: string) => T): Setting<T> => ({ read: (text = fallback) => read(text), description, secret: false, shown: fallback })

/** Any text. */
export const text = (fallback: string, description: string): Setting<string> => setting(fallback, description, (value) => value)
/** An optional text. */
export const optional = (description: string): Setting<string | null> => ({ read: (value) => value ?? null, description, secret: false, shown: '' })
/** An optional text that is never shown. */
export const secret = (description: string): Setting<string | null> => ({ ...optional(description), secret: true })

function integerIn(value: string, min: number, max: number): number {
  if (!/^\d+$/.test(value)) throw new Error('must be a whole number')
  if (Number(value) < min) throw new Error(`must be at least ${min}`)
  if (Number(value) > max) throw new Error(`must be at most ${max}`)
  return Number(value)
}

/** An integer within bounds. */
export const integer = (fallback: number, min: number, max: number, description: string): Setting<number> => setting(String(fallback), description, (value) => integerIn(value, min, max))

/** An optional integer within bounds. */
export const optionalInteger = (min: number, max: number, description: string): Setting<number | null> => ({ ...optional(description), read: (value) => (value === undefined ? null : integerIn(value, min, max)) })

/** One of a few words. */
export const oneOf = <const T extends readonly [string, ...string[]]>(values: T, fallback: T[number], description: string): Setting<T[number]> =>
  setting(fallback, description, (value) => {
    const known = values.find((one) => one === value)
    if (known === undefined) throw new Error(`must be one of ${values.join(', ')}`)
    return known
  })

const split = (value: string): string[] => value.split(',').map((part) => part.trim()).filter((part) => part !== '')
/** A comma-separated list of texts. */
export const list = (description: string): Setting<string[]> => setting('', description, split)

/** A comma-separated list of `team:key`. */
export const keys = (description: string): Setting<{ team: string; key: string }[]> => ({
  ...setting('', description, (value) =>
    split(value).map((entry) => {
      const colon = entry.indexOf(':')
      if (colon < 1) throw new Error('must be a comma list of team:key')
      return { team: entry.slice(0, colon), key: entry.slice(colon + 1) }
    }),
  ),
  secret: true,
})

function upstreamsIn(value: string): readonly Upstream[] {
  try {
    return parseUpstreams(split(value))
  } catch (error) {
    throw new Error(`cannot be used: ${error instanceof Error ? error.message : 'it cannot be read'}`, { cause: error })
  }
}

/** A comma-separated list of upstream proxies. */
export const proxies = (description: string): Setting<readonly Upstream[]> => ({ ...setting('', description, upstreamsIn), secret: true })

/** A single upstream proxy, whose country nobody asks for. */
export const proxy = (description: string): Setting<Upstream | null> => ({
  ...secret(description),
  read(value) {
    if (value === undefined) return null
    const upstream = parseUpstream(value)
    if (upstream === null || upstream.country !== null) throw new Error('must be one proxy of the form http://user:pass@host:port')
    return upstream
  },
})

/** An address for people and other programs, with one of the `schemes`. */
export const address = (schemes: readonly string[], description: string): Setting<string | null> => ({
  ...optional(description),
  read(value) {
    if (value === undefined) return null
    const url = urlOf(value)
    if (url === null || url.hostname === '' || !schemes.includes(url.protocol.slice(0, -1))) throw new Error(`must be an address that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`)
    return value
  },
})

/** An address to which paths are appended: it must not have credentials, a query or a fragment. */
export const base = (description: string): Setting<string | null> => {
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

/** An IP address or a host name. */
export const host = (fallback: string, description: string): Setting<string> =>
  setting(fallback, description, (value) => {
    const bare = value.replace(/^\[(.*)\]$/, '$1')
    if (isIP(bare) === 0 && !/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(bare)) throw new Error('must be an IP address or a host name, without scheme and port')
    return bare
  })

/** A comma-separated list of `ip:port`. */
export const servers = (description: string): Setting<readonly string[]> =>
  setting('', description, (value) => {
    const entries = split(value)
    const usable = entries.every((entry) => {
      const [, v6, v4 = v6 ?? entry, port = '53'] = /^(?:\[(.*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(entry) ?? []
      return isIP(v4) !== 0 && Number(port) >= 1 && Number(port) <= 65_535
    })
    if (!usable) throw new Error('must be a comma list of ip:port')
    return entries
  })

/** Names of tesseract's language files (`eng`, `chi_sim`, `script/Latin`), joined with `+`. */
export const languages = (fallback: string, description: string): Setting<string> =>
  setting(fallback, description, (value) => {
    if (!/^\w[\w./-]*(?:\+\w[\w./-]*)*$/.test(value)) throw new Error('must be names of language files, joined with + (eng+deu)')
    return value
  })

/** A secret that clients send in a header. */
export const bearer = (description: string): Setting<string | null> => ({
  ...secret(description),
  read(value) {
    if (value !== undefined && !/^[\x21-\x7e]+$/.test(value)) throw new Error('must consist of visible ASCII characters, without spaces')
    return value ?? null
  },
})

const maxDelayMs = 31 * 86_400_000

/** A comma-separated list of delays in milliseconds, or `off`. */
export const delays = (fallback: string, description: string): Setting<readonly number[]> =>
  setting(fallback, description, (value) => {
    const entries = value === 'off' ? [] : split(value)
    const usable = entries.length <= 20 && entries.every((entry) => /^\d+$/.test(entry) && Number(entry) <= maxDelayMs)
    if (!usable) throw new Error('must be off or a comma list of up to 20 delays in milliseconds, none over 31 days')
    return entries.map(Number)
  })

/**
 * A comma-separated list of header names that start with `X-`: a standard header would change the meaning of the message.
 */
export const names = (fallback: string, description: string): Setting<readonly string[]> =>
  setting(fallback, description, (value) => {
    const entries = split(value)
    if (entries.length === 0 || !entries.every((entry) => /^x-[a-z0-9-]+$/i.test(entry))) throw new Error('must be a comma list of header names that start with X-')
    return entries
  })

/** Request rates by kind, or `off`. */
export const rates = (description: string): Setting<Rates> => setting('off', description, parseRates)

/** A number of credits, or `off`. */
export const credits = (description: string): Setting<number | null> =>
  setting('off', description, (value) => {
    if (value !== 'off' && !/^\d+$/.test(value)) throw new Error('must be off or a whole number')
    if (Number(value) > maxCredits) throw new Error(`must be at most ${maxCredits}`)
    return value === 'off' ? null : Number(value)
  })
