import type { FeatureGates, FeatureGate } from '../../domain/feature-gates.ts'
import type { Accounts, TermedTeam } from '../../domain/accounts.ts'
import type { Ledger, Payer } from '../../domain/ledger.ts'
import { parseRates, type Rates } from '../../domain/rates.ts'

/** What is set for single teams, as it was known a moment ago: `trawl teams` works beside a running service. */
export interface LiveTerms {
  /** Whether anything limits the credits of the team, or of one of its keys. */
  isLimited(team: string): boolean
  rates(team: string): Rates
  /** Null: that of the settings. */
  webhookSecret(team: string): string | null
  /** The gates of the settings, and those opened for single teams. */
  readonly gates: FeatureGates
  /** Reads it anew. */
  refresh(): Promise<void>
}

const noRates: Rates = new Map()

/** Terms of teams over the store. `always`: new teams are limited, so that one which is not known yet counts as that. */
export function liveTerms(accounts: Pick<Accounts, 'terms'>, { gates, always }: { readonly gates: FeatureGates; readonly always: boolean }): LiveTerms {
  let known = new Map<string, TermedTeam & { readonly limits: Rates }>()
  const open = (name: FeatureGate): readonly string[] => [...gates[name], ...[...known.values()].filter((team) => team.gates.includes(name)).map(({ team }) => team)]
  return {
    isLimited: (team) => always || known.get(team)?.limited === true,
    rates: (team) => known.get(team)?.limits ?? noRates,
    webhookSecret: (team) => known.get(team)?.webhookSecret ?? null,
    gates: {
      get zeroRetention() {
        return open('zeroRetention')
      },
      get ignoreRobots() {
        return open('ignoreRobots')
      },
      get enterpriseSearch() {
        return open('enterpriseSearch')
      },
    },
    async refresh() {
      const teams = await accounts.terms()
      known = new Map(teams.map((team) => [team.team, { ...team, limits: team.rates === null ? noRates : parseRates(team.rates) }]))
    },
  }
}

// Whoever pays is often a call, which cannot be copied to the thread of a store.
const bare = ({ team, key }: Payer): Payer => ({ team, key })

/** A ledger that does not ask the store about teams which nothing limits. */
export function limitedLedger(ledger: Ledger, { isLimited }: Pick<LiveTerms, 'isLimited'>): Ledger {
  return {
    ...ledger,
    // eslint-disable-next-line eslint/max-params -- the signature is that of the port
    hold: async (payer, ref, credits, until, now) => (isLimited(payer.team) ? ledger.hold(bare(payer), ref, credits, until, now) : { ref, fence: '' }),
    allowance: async (payer, now) => (isLimited(payer.team) ? ledger.allowance(bare(payer), now) : null),
    // What was set aside before the limit was lifted lapses by itself.
    release: async (team, hold) => (isLimited(team) ? ledger.release(team, hold) : undefined),
  }
}
