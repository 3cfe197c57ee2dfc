/** The number of requests of one kind that are allowed per window. */
export interface RateLimit {
  readonly limit: number
  readonly windowMs: number
}

/** Limits by kind of request: the name of a route. */
export type Rates = ReadonlyMap<string, RateLimit>

const windows: Readonly<Record<string, number>> = { s: 1_000, min: 60_000, h: 3_600_000 }
const form = /^([a-zA-Z]+)=(\d{1,9})\/(s|min|h)$/

/**
 * Parses `scrape=600/min,crawl=60/min`; `off` and an empty text mean no limits. Throws a plain `Error` that names the
 * invalid part.
 */
export function parseRates(text: string): Rates {
  const entries = text === 'off' ? [] : text.split(',').map((part) => part.trim()).filter((part) => part !== '')
  const rates = new Map<string, RateLimit>()
  for (const entry of entries) {
    const [, kind = '', limit = '', window = ''] = form.exec(entry) ?? []
    if (kind === '') throw new Error(`"${entry}" is no rate; write scrape=600/min`)
    if (rates.has(kind)) throw new Error(`names ${kind} twice`)
    rates.set(kind, { limit: Number(limit), windowMs: windows[window] ?? 1 })
  }
  return rates
}
