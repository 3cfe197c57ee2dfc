/** Requests of one kind that may be made per window. */
export interface RateLimit {
  readonly limit: number
  readonly windowMs: number
}

/** Limits by kind of request: the name of a route. */
export type Rates = ReadonlyMap<string, RateLimit>

const windows: Readonly<Record<string, number>> = { s: 1_000, min: 60_000, h: 3_600_000 }
const form = /^([a-zA-Z]+)=(\d{1,9})\/(s|min|h)$/

/** Reads `scrape=600/min,crawl=60/min`; `off` and nothing are no limits. Throws a plain `Error` that names what cannot be read. */
export function parseRates(text: string): Rates {
  const entries = text === 'off' ? [] : text.split(',').map((part) => part.trim()).filter((part) => part !== '')
  return new Map(
    entries.map((entry) => {
      const [, kind = '', limit = '', window = ''] = form.exec(entry) ?? []
      if (kind === '') throw new Error(`"${entry}" is no rate; write scrape=600/min`)
      return [kind, { limit: Number(limit), windowMs: windows[window] ?? 1 }]
    }),
  )
}
