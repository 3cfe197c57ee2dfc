import type { ProviderFault, SearchProvider } from '../../domain/search.ts'

/** How long a provider that failed once is left alone; doubled with every further failure. */
const firstMs = 30_000
const longestMs = 3_600_000
/** One failure may be chance; faults that time alone does not mend are believed at once. */
const patience: Readonly<Record<ProviderFault['reason'], number>> = { late: 2, broken: 2, limited: 1, captcha: 1, refused: 1 }

/** How the providers of this process have done of late. */
export interface ProviderHealth {
  /** Those to be asked, the most reliable first, among equals in the order given. */
  order(providers: readonly SearchProvider[]): readonly SearchProvider[]
  /** Those that are left alone for now. */
  suspended(providers: readonly SearchProvider[]): readonly SearchProvider[]
  succeeded(name: string): void
  failed(name: string, fault: Pick<ProviderFault, 'reason' | 'waitMs'>): void
}

interface State {
  /** Failures since the last success. */
  readonly failures: number
  /** Share of answers among the latest asked for, 0 to 1. */
  readonly score: number
  readonly until: number
}

const fresh: State = { failures: 0, score: 1, until: 0 }

/** Scores that follow the latest answers, and suspensions that grow. */
export function providerHealth(now: () => number): ProviderHealth {
  const states = new Map<string, State>()
  const of = (name: string): State => states.get(name) ?? fresh
  const isUp = ({ name }: SearchProvider): boolean => of(name).until <= now()
  // In steps: a small difference must not turn round what the operator put in order.
  const rank = ({ name }: SearchProvider): number => Math.floor(of(name).score * 4)
  return {
    order: (providers) => providers.filter(isUp).toSorted((a, b) => rank(b) - rank(a)),
    suspended: (providers) => providers.filter((provider) => !isUp(provider)),
    succeeded: (name) => void states.set(name, { failures: 0, score: of(name).score * 0.8 + 0.2, until: 0 }),
    failed: (name, { reason, waitMs }) => {
      const { failures, score } = of(name)
      const count = failures + 1
      const over = count - patience[reason]
      const wait = over < 0 ? 0 : Math.min(longestMs, Math.max(waitMs ?? 0, firstMs * 2 ** Math.min(over, 10)))
      states.set(name, { failures: count, score: score * 0.8, until: now() + wait })
    },
  }
}
