import { type Found, ProviderFault, type ProviderRequest } from '../domain/search/search.ts'
import { anyOf, type Operator, type ParsedQuery, written } from '../domain/search/search-query.ts'

/** Operators that most search engines understand. */
export const commonOperators: ReadonlySet<Operator> = new Set(['exact', 'not', 'site', 'filetype', 'inurl', 'intitle'])

/** With more hosts than this, a query is longer than engines accept. */
export const maxHosts = 15

/** The query with hosts and file types as operators. */
export function queryText({ query, hosts, notHosts, files }: ProviderRequest, knows: ReadonlySet<Operator>): string {
  const kinds = [...(knows.has('site') ? hosts.slice(0, maxHosts).map((host) => `site:${host}`) : []), ...(knows.has('filetype') ? files.map((ending) => `filetype:${ending}`) : [])]
  return [written(query, knows), anyOf(kinds), ...(knows.has('site') ? notHosts.slice(0, maxHosts).map((host) => `-site:${host}`) : [])].filter((part) => part !== '').join(' ')
}

/**
 * The words of a query, for engines that take operators apart from it, and no empty text. Of one without words, the names
 * of its sites are asked for. Throws `ProviderFault` when there are none either.
 */
export function wordsOf(query: ParsedQuery): string {
  const words = written(query, new Set()) || query.sites.filter(({ not }) => !not).map(({ host }) => host).join(' ')
  if (words === '') throw new ProviderFault('unfit')
  return words
}

/** A day as `YYYY-MM-DD`, in UTC. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** A result of which only some fields are known. */
export function found(one: Pick<Found, 'url' | 'title'> & Partial<Found>): Found {
  return { description: '', date: null, image: null, width: null, height: null, ...one }
}

/**
 * Fetches result pages until there are enough results or no more. When the provider refuses the request for a later page,
 * the results end there; other faults are thrown together with the earlier results.
 */
export async function paged(limit: number, size: number, ask: (page: number) => Promise<readonly Found[]>): Promise<readonly Found[]> {
  const all: Found[] = []
  for (let page = 0; all.length < limit && page < Math.ceil(limit / size); page++) {
    const more = await ask(page).catch((error: unknown) => {
      if (!(error instanceof ProviderFault) || all.length === 0) throw error
      if (error.reason === 'unfit') return []
      throw new ProviderFault(error.reason, error.waitMs, all)
    })
    all.push(...more)
    if (more.length < size / 2) break
  }
  return all
}
