import type { Capture } from '../../domain/capture.ts'
import type { Derivation } from '../../domain/derivation.ts'

/**
 * Whether a site answered with nothing, or that it is busy, under a status of success, as some do under load. A page that has scripts was
 * shown by a browser, which is worth more than another try; one that shows a file is meant so.
 */
export function isOverwhelmed({ status, engine }: Pick<Capture, 'status' | 'engine'>, { busy, verdict, scriptDemand, embedded }: Pick<Derivation, 'busy' | 'verdict' | 'scriptDemand' | 'embedded'>): boolean {
  if (status < 200 || status >= 300 || status === 204) return false
  return busy === true || (verdict === 'empty' && engine === 'http' && scriptDemand === null && embedded === undefined)
}
