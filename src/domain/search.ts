import type { SearchSource } from '../spec/search.ts'
import type { Call } from './call.ts'
import type { Operator, ParsedQuery } from './search-query.ts'

/** Something that a provider, or our own index, found. */
export interface Found {
  /** Of the page; of a picture the page that shows it. */
  readonly url: string
  readonly title: string
  readonly description: string
  /** As it was given; null where it was not. */
  readonly date: string | null
  readonly image: string | null
  readonly width: number | null
  readonly height: number | null
}

/** What a provider may be able to do beyond finding pages by words; of time: the last hour, the last day, week, month or year, days from and to. */
export type Ability = 'hour' | 'spans' | 'days' | 'order' | 'country' | 'location' | 'language' | 'safe'

/** What a provider is asked. */
export interface ProviderRequest {
  readonly source: SearchSource
  readonly query: ParsedQuery
  /** How many results are wanted; fewer is no fault. */
  readonly limit: number
  /** Hosts: only these, and what is below them; none for any. */
  readonly hosts: readonly string[]
  readonly notHosts: readonly string[]
  /** Endings of files that are as good as those hosts. */
  readonly files: readonly string[]
  readonly country: string | null
  readonly location: string | null
  readonly language: string | null
  readonly safe: boolean | null
  /** Milliseconds since 1970; null for any time. */
  readonly from: number | null
  readonly to: number | null
  readonly span: 'h' | 'd' | 'w' | 'm' | 'y' | null
  readonly byDate: boolean
}

/** Somebody who knows pages. Throws `ProviderFault`. */
export interface SearchProvider {
  readonly name: string
  readonly sources: ReadonlySet<SearchSource>
  /** Operators that it takes within the query, or otherwise; the others are our business. */
  readonly knows: ReadonlySet<Operator>
  readonly can: ReadonlySet<Ability>
  /** What of that does not hold for a source. */
  readonly cannot?: Partial<Readonly<Record<SearchSource, ReadonlySet<Ability>>>>
  /** It takes a country as the region of a language, and not alone. */
  readonly countryNeedsLanguage?: true
  /** How many hosts it can be told to keep to; any number where not given. */
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

/** A provider did not give what was asked of it. */
export class ProviderFault extends Error {
  override readonly name = 'ProviderFault'
  readonly reason: keyof typeof faultReasons
  /** How long it is not to be asked again; null where it did not say. */
  readonly waitMs: number | null
  /** What it had given before. */
  readonly found: readonly Found[]
  constructor(reason: keyof typeof faultReasons, waitMs: number | null = null, found: readonly Found[] = []) {
    super(faultReasons[reason])
    this.reason = reason
    this.waitMs = waitMs
    this.found = found
  }
}
