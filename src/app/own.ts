import { ServiceError } from '../domain/errors.ts'

/** What callers name by an id. */
type Named = 'job' | 'scrape' | 'search' | 'session' | 'version'

/** The error for an id that names nothing. */
export const unknownId = (what: Named): ServiceError => new ServiceError('NOT_FOUND', `No ${what} has this id.`)

/** Throws `FORBIDDEN` for what another team made. */
export function assertOwn(what: Named, made: { readonly team: string }, team: string): void {
  if (made.team !== team) throw new ServiceError('FORBIDDEN', `This ${what} belongs to another team.`)
}
