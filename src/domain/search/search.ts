import type { SearchSource } from '../../spec/search.ts'
import type { Call } from '../call.ts'
import type { Operator, ParsedQuery } from './search-query.ts'

/** A result of a provider or of our own index. */
export interface Found {
  /** The page's URL; for an image, that of the page that shows it. */
  readonly url: string
  readonly title: string
  readonly description: string
  /** As the provider gave it; null when it gave none. */
  readonly date: string | null
  readonly image: string | null
  readonly width: number | null
  readonly height: number | null
  /** Known to be a PDF file, whatever its address. */
  readonly pdf?: true
}

/**
 * What a provider may support beyond searching by words. Times: the last hour (`hour`); the last day, week, month or year
 * (`spans`); a range of days (`days`). `passages`: its descriptions are the passages of the page that fit the query.
 */
export type Ability = 'hour' | 'spans' | 'days' | 'order' | 'country' | 'location' | 'language' | 'safe' | 'passages'

/** A search for a provider. */
export interface ProviderRequest {
  readonly source: SearchSource
  readonly query: ParsedQuery
  /** How many results to return; fewer are fine. */
  readonly limit: number
  /** Search only these hosts and hosts below them; empty for any. */
  readonly hosts: readonly string[]
  readonly notHosts: readonly string[]
  /** Results may instead have one of these file endings. */
  readonly files: readonly string[]
  readonly country: string | null
  /** False if the country is only the default one. */
  readonly countryGiven?: boolean
  readonly location: string | null
  readonly language: string | null
  readonly safe: boolean | null
  /** Milliseconds since 1970; null for any time. */
  readonly from: number | null
  readonly to: number | null
  readonly span: 'h' | 'd' | 'w' | 'm' | 'y' | null
  readonly byDate: boolean
}

/** A search provider. Throws `ProviderFault`. */
export interface SearchProvider {
  readonly name: string
  readonly sources: ReadonlySet<SearchSource>
  /** Operators that it supports, in the query or otherwise; we apply the others ourselves. */
  readonly knows: ReadonlySet<Operator>
  readonly can: ReadonlySet<Ability>
  /** Abilities that it lacks for some sources. */
  readonly cannot?: Partial<Readonly<Record<SearchSource, ReadonlySet<Ability>>>>
  /** Whether it takes the country and the language of this request; all when absent. */
  readonly takes?: (request: Pick<ProviderRequest, 'country' | 'countryGiven' | 'language'>) => { readonly country: boolean; readonly language: boolean }
  /** It accepts a country only together with a language. */
  readonly countryNeedsLanguage?: true
  /** It does not order by date what it restricts to a range of days. */
  readonly orderNeedsAnyDay?: true
  /** The maximum number of hosts to restrict a search to; unlimited when absent. */
  readonly maxHosts?: number
  search(request: ProviderRequest, call: Call): Promise<readonly Found[]>
  close?(): void
}

/** Why a provider did not answer, in words for the caller. */
export const faultReasons = {
  limited: 'its rate limit is reached',
  captcha: 'it asks for proof that a person is searching',
  refused: 'it refuses our key',
  late: 'it did not answer in time',
  broken: 'it did not give a usable answer',
  unfit: 'it does not take this search',
} as const

/** A provider could not answer. */
export class ProviderFault extends Error {
  override readonly name = 'ProviderFault'
  readonly reason: keyof typeof faultReasons
  /** How long not to ask it again; null when it did not say. */
  readonly waitMs: number | null
  /** The results it returned before the failure. */
  readonly found: readonly Found[]
  constructor(reason: keyof typeof faultReasons, waitMs: number | null = null, found: readonly Found[] = []) {
    super(faultReasons[reason])
    this.reason = reason
    this.waitMs = waitMs
    this.found = found
  }
}
