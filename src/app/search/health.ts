import type { ProviderFault, SearchProvider } from '../../domain/search.ts'

/** Faults that say something about a provider, whoever asked. */
export type Fault = Exclude<ProviderFault['reason'], 'unfit'>

/** How long a provider that failed once is left alone; doubled with every further failure. */
const firstMs = 30_000
const longestMs = 3_600_000
/** One failure may be chance; faults that time alone does not mend are believed at once. */
const patience: Readonly<Record<Fault, number>> = { late: 2, broken: 2, limited: 1, captcha: 1, refused: 1 }

/** How the providers of this process have done of late. */
export interface ProviderHealth {
  /** Those to be asked, the most reliable first, among equals in the order given. */
  order(providers: readonly SearchProvider[]): readonly SearchProvider[]
  /** Those that are left alone for now. */
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
/** After so long half of what spoke against a provider is forgotten. */
const halfLifeMs = 3_600_000
/** Below it others are asked first, whatever order the operator gave. */
const unreliable = 0.5

/** Scores that follow the latest answers, and suspensions that grow. */
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
