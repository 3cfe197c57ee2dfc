import type { ProviderFault, SearchProvider } from '../../domain/search/search.ts'

/** Faults that count against a provider, whoever asked. */
export type Fault = Exclude<ProviderFault['reason'], 'unfit'>

/** How long a provider is left alone after its first failure; doubled with each further one. */
const firstMs = 30_000
const longestMs = 3_600_000
/** A single failure may be chance; faults that time alone does not mend count at once. */
const patience: Readonly<Record<Fault, number>> = { late: 2, broken: 2, limited: 1, captcha: 1, refused: 1 }

/** How the providers did lately, as seen by this process. */
export interface ProviderHealth {
  /** The providers to ask, the most reliable first, equals in the given order. */
  order(providers: readonly SearchProvider[]): readonly SearchProvider[]
  /** The providers to leave alone for now. */
  suspended(providers: readonly SearchProvider[]): readonly SearchProvider[]
  succeeded(name: string): void
  failed(name: string, fault: { readonly reason: Fault; readonly waitMs: number | null }): void
}

interface State {
  /** Failures since the last success. */
  readonly failures: number
  /** Share of answers among the latest asked for, 0 to 1. */
  readonly score: number
  /** When that was. */
  readonly at: number
  readonly until: number
}

const fresh: State = { failures: 0, score: 1, at: 0, until: 0 }
/** Half-life of what counts against a provider. */
const halfLifeMs = 3_600_000
/** Below this score others are asked first, whatever the operator's order. */
const unreliable = 0.5

/** Scores from recent answers, and growing suspensions. */
export function providerHealth(now: () => number): ProviderHealth {
  const states = new Map<string, State>()
  const of = (name: string): State => states.get(name) ?? fresh
  const isUp = ({ name }: SearchProvider): boolean => of(name).until <= now()
  const score = (name: string): number => 1 - (1 - of(name).score) * 2 ** ((of(name).at - now()) / halfLifeMs)
  const rank = ({ name }: SearchProvider): number => (score(name) < unreliable ? 0 : 1)
  return {
    order: (providers) => providers.filter(isUp).toSorted((a, b) => rank(b) - rank(a)),
    suspended: (providers) => providers.filter((provider) => !isUp(provider)),
    succeeded: (name) => void states.set(name, { failures: 0, score: score(name) * 0.8 + 0.2, at: now(), until: 0 }),
    failed: (name, { reason, waitMs }) => {
      const count = of(name).failures + 1
      const over = count - patience[reason]
      const wait = over < 0 ? Math.min(longestMs, waitMs ?? 0) : Math.min(longestMs, Math.max(waitMs ?? 0, firstMs * 2 ** Math.min(over, 10)))
      states.set(name, { failures: count, score: score(name) * 0.8, at: now(), until: now() + wait })
    },
  }
}
