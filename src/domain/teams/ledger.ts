/** Who pays for something. */
export interface Payer {
  readonly team: string
  /** The API key of the request; absent when keys are off. */
  readonly key?: string | null | undefined
}

/** One line of the ledger. `ref` is unique per team: repeating a charge with the same ref changes nothing. */
export interface Charge {
  readonly ref: string
  /** The reference under which credits were reserved for it, when it differs from `ref`. */
  readonly heldAs?: string
  readonly kind: string
  readonly credits: number
  readonly at: number
  readonly key?: Payer['key']
  /** The URL it was for, when no other record keeps it. */
  readonly target?: string
}

/** Reserved credits. */
export interface Hold {
  readonly ref: string
  /** Distinguishes this hold from one with the same ref by a process that took over the work. */
  readonly fence: string
}

/** The reference under which more is held for something that turns out to cost more than was set aside for it. */
export const extraOf = (ref: string): string => `${ref}/extra`

/** A team's credits. */
export interface Balance {
  /** Null when accounting is off. */
  readonly granted: number | null
  readonly used: number
  /** Credits reserved for running work. */
  readonly held: number
}

/** The tightest limit of a payer: the team's grant, or a monthly budget. */
export interface Allowance {
  readonly plan: number
  /** Excluding used and reserved credits; negative when more was used than planned. */
  readonly left: number
  /** Start of the calendar month (UTC) that it applies to; null when it is not monthly. */
  readonly month: number | null
  /** Set when it is the budget of the key rather than of the team. */
  readonly byKey?: true
}

/** Usage of one key in a calendar month. */
export interface UsedMonth {
  readonly start: number
  /** Null for usage without a key. */
  readonly key: { readonly id: string; readonly name: string } | null
  readonly credits: number
  /** Tokens of language models. */
  readonly tokens: number
}

/** Credits granted, reserved and used. */
export interface Ledger {
  balance(team: string, now: number): Promise<Balance>
  /** Null when the payer has no limit. */
  allowance(payer: Payer, now: number): Promise<Allowance | null>
  /**
   * Reserves credits until `until`, replacing the hold with that ref; null when a limit does not cover them. Never null for
   * a payer without limits.
   */
  hold(payer: Payer, ref: string, credits: number, until: number, now: number): Promise<Hold | null>
  /** Drops the hold without a charge; does nothing when another hold has replaced it. */
  release(team: string, hold: Hold): Promise<void>
  /** Writes the line and drops the hold with its ref, and what is held beyond that, in one transaction; false when the line already existed. */
  charge(team: string, charge: Charge): Promise<boolean>
  /** The line with that ref; null when there is none. */
  find(team: string, ref: string): Promise<Charge | null>
  /** Counts tokens of language models. */
  addTokens(payer: Payer, tokens: number, at: number): Promise<void>
  /** By calendar month (UTC), newest first, and by key. */
  months(team: string): Promise<readonly UsedMonth[]>
}
