import { ServiceError } from '../errors.ts'
import type { Allowance, Ledger, Payer } from './ledger.ts'

/** Whose credits a limit applies to, in words for the caller. */
export function creditsOf(limit: Allowance | null): string {
  if (limit?.byKey === true) return 'The credits that this key may still use this month'
  return limit === null || limit.month === null ? 'The credits of the team' : 'The credits that the team may still use this month'
}

interface Asked {
  readonly ledger: Pick<Ledger, 'allowance'>
  readonly now: () => number
}

/** The error when credits cannot be reserved; it says which limit was reached. */
export async function notCovered(what: string, { ledger, now }: Asked, payer: Payer): Promise<ServiceError> {
  return new ServiceError('INSUFFICIENT_CREDITS', `${creditsOf(await ledger.allowance(payer, now()))} do not cover ${what}.`)
}
