import { type Found, ProviderFault, type ProviderRequest } from '../domain/search.ts'
import { anyOf, type Operator, written } from '../domain/search-query.ts'

/** Operators of search engines that answer like the best known one. */
export const commonOperators: ReadonlySet<Operator> = new Set(['exact', 'not', 'site', 'filetype', 'inurl', 'intitle'])

/** Hosts beyond these make a query longer than engines read. */
export const maxHosts = 15

/** The query with hosts and kinds of files as operators. */
export function queryText({ query, hosts, notHosts, files }: ProviderRequest, knows: ReadonlySet<Operator>): string {
  const kinds = [...(knows.has('site') ? hosts.slice(0, maxHosts).map((host) => `site:${host}`) : []), ...(knows.has('filetype') ? files.map((ending) => `filetype:${ending}`) : [])]
  return [written(query, knows), anyOf(kinds), ...(knows.has('site') ? notHosts.slice(0, maxHosts).map((host) => `-site:${host}`) : [])].filter((part) => part !== '').join(' ')
}

/** A day as `YYYY-MM-DD`, UTC. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** Something found, where only some of it is known. */
export function found(one: Pick<Found, 'url' | 'title'> & Partial<Found>): Found {
  return { description: '', date: null, image: null, width: null, height: null, ...one }
}

/**
 * Asks page after page until there is enough, or no more. A later page that is not to be had by what is asked is the end of them; a fault of
 * the provider there is thrown with what came before it.
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
