/** Who pays for something. */
export interface Payer {
  readonly team: string
  /** The key that it was asked for with; absent where keys are off. */
  readonly key?: string | null | undefined
}

/** One line of the ledger. `ref` is unique per team: a charge repeated under the same ref changes nothing. */
export interface Charge {
  readonly ref: string
  /** Under what credits were set aside for it, where that is not its own reference. */
  readonly heldAs?: string
  readonly kind: string
  readonly credits: number
  readonly at: number
  readonly key?: Payer['key']
  /** The URL it was for, where nothing else is kept of that. */
  readonly target?: string
}

/** Credits that are set aside. */
export interface Hold {
  readonly ref: string
  /** Tells it from one that another, who has taken over the work, holds under the same ref. */
  readonly fence: string
}

/** The credits of a team. */
export interface Balance {
  /** Null where accounting is off. */
  readonly granted: number | null
  readonly used: number
  /** Credits set aside for work that is under way. */
  readonly held: number
}

/** The limit that leaves a payer least: what was granted to the team, or a budget by the month. */
export interface Allowance {
  readonly plan: number
  /** Without what is used and set aside; below zero where more was used than planned. */
  readonly left: number
  /** Start of the calendar month (UTC) that it is for; null where it is not by the month. */
  readonly month: number | null
  /** It is the budget of the key, not of the team. */
  readonly byKey?: true
}

/** What was used in a calendar month with one key. */
export interface UsedMonth {
  readonly start: number
  /** Null where it was used without one. */
  readonly key: { readonly id: string; readonly name: string } | null
  readonly credits: number
  /** Tokens of language models. */
  readonly tokens: number
}

/** Credits granted, set aside and used. */
export interface Ledger {
  balance(team: string, now: number): Promise<Balance>
  /** Null where nothing limits the payer. */
  allowance(payer: Payer, now: number): Promise<Allowance | null>
  /** Sets credits aside until `until`, in place of what is under that ref; null when what is left of a limit does not cover them. Never null where nothing limits the payer. */
  hold(payer: Payer, ref: string, credits: number, until: number, now: number): Promise<Hold | null>
  /** Drops that hold, charging nothing; does nothing where another has taken its place. */
  release(team: string, hold: Hold): Promise<void>
  /** Writes the line and drops the hold of the same ref, in one transaction; false when the line was there already. */
  charge(team: string, charge: Charge): Promise<boolean>
  /** The line of that ref; null when there is none. */
  find(team: string, ref: string): Promise<Charge | null>
  /** Counts tokens of language models. */
  addTokens(payer: Payer, tokens: number, at: number): Promise<void>
  /** By calendar month (UTC), newest first, and key. */
  months(team: string): Promise<readonly UsedMonth[]>
}
