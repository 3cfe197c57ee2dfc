import type { FeatureGates, FeatureGate } from '../../domain/teams/feature-gates.ts'
import type { Accounts, TermedTeam } from '../../domain/teams/accounts.ts'
import type { Ledger, Payer } from '../../domain/teams/ledger.ts'
import { parseRates, type Rates } from '../../domain/teams/rates.ts'

/** The settings of single teams, as of a moment ago: `trawl teams` changes them beside a running service. */
export interface LiveTerms {
  /** Whether anything limits the credits of the team, or of one of its keys. */
  isLimited(team: string): boolean
  rates(team: string): Rates
  /** Null: the one in the settings. */
  webhookSecret(team: string): string | null
  /** Features on by the settings, or for single teams. */
  readonly gates: FeatureGates
  /** Reads them again. */
  refresh(): Promise<void>
}

const noRates: Rates = new Map()

/** Live terms from the store. `always`: new teams are limited, so a team that is not known yet counts as limited. */
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

// The payer is often a whole call, which cannot be copied to the store's thread.
const bare = ({ team, key }: Payer): Payer => ({ team, key })

/** A ledger that skips the store for teams without limits. */
export function limitedLedger(ledger: Ledger, { isLimited }: Pick<LiveTerms, 'isLimited'>): Ledger {
  return {
    ...ledger,
    hold: async (payer, ref, credits, until, now) => (isLimited(payer.team) ? ledger.hold(bare(payer), ref, credits, until, now) : { ref, fence: '' }),
    allowance: async (payer, now) => (isLimited(payer.team) ? ledger.allowance(bare(payer), now) : null),
    // Holds from before a limit was lifted lapse by themselves.
    release: async (team, hold) => (isLimited(team) ? ledger.release(team, hold) : undefined),
  }
}
