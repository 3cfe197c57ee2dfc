import { assertKinds } from '../app/rate-limits.ts'
import { parseRates } from '../domain/rates.ts'

const largest = 1_000_000_000_000

/** A number of credits. Throws for anything else. */
export function creditsIn(text: string): number {
  if (!/^\d{1,13}$/.test(text) || Number(text) > largest) throw new Error(`"${text}" is no number of credits.`)
  return Number(text)
}

/** A budget by the month; null for `off`. */
export const budgetIn = (text: string): number | null => (text === 'off' ? null : creditsIn(text))

/** Rate limits as they are kept; null for `off`. Throws for those that cannot be read, or are of nothing. */
export function ratesIn(text: string): string | null {
  const rates = parseRates(text)
  assertKinds(rates)
  return rates.size === 0 ? null : text
}
