import { ServiceError } from './errors.ts'
import type { Allowance, Ledger, Payer } from './ledger.ts'

/** Whose credits a limit is about, as callers are told. */
export function creditsOf(limit: Allowance | null): string {
  if (limit?.byKey === true) return 'The credits that this key may still use this month'
  return limit === null || limit.month === null ? 'The credits of the team' : 'The credits that the team may still use this month'
}

interface Asked {
  readonly ledger: Pick<Ledger, 'allowance'>
  readonly now: () => number
}

/** The error for credits that could not be set aside: it says which limit is in the way. */
export async function notCovered(what: string, { ledger, now }: Asked, payer: Payer): Promise<ServiceError> {
  return new ServiceError('INSUFFICIENT_CREDITS', `${creditsOf(await ledger.allowance(payer, now()))} do not cover ${what}.`)
}
