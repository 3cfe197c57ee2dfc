import { ServiceError } from '../domain/errors.ts'

/** Throws `FORBIDDEN` for what another team made. */
export function assertOwn(what: 'job' | 'scrape' | 'session' | 'version', made: { readonly team: string }, team: string): void {
  if (made.team !== team) throw new ServiceError('FORBIDDEN', `This ${what} belongs to another team.`)
}
