import { assertKinds } from '../../app/rate-limits.ts'
import { maxCredits } from '../../domain/teams/credits.ts'
import { parseRates } from '../../domain/teams/rates.ts'

/** Parses a number of credits. Throws for anything else. */
export function creditsIn(text: string): number {
  if (!/^\d{1,13}$/.test(text) || Number(text) > maxCredits) throw new Error(`"${text}" is no number of credits.`)
  return Number(text)
}

/** Parses how many rows are listed at most. Throws for anything else. */
export function countIn(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error('--limit must be a number from 1 to 999999.')
  return Number(text)
}

/** Parses a monthly budget; null for `off`. */
export const budgetIn = (text: string): number | null => (text === 'off' ? null : creditsIn(text))

/** Validates rate limits and returns their text; null for `off`. Throws for invalid ones and unknown kinds. */
export function ratesIn(text: string): string | null {
  const rates = parseRates(text)
  assertKinds(rates)
  return rates.size === 0 ? null : text
}
