import type { Capture } from '../../../domain/pages/capture.ts'
import type { Derivation } from '../../../domain/pages/derivation.ts'

/**
 * Whether a site under load answered with an empty page or "busy", but a success status. A page with scripts was rendered by a browser, which
 * tells more than another try; one that embeds a file is intended.
 */
export function isOverwhelmed({ status, engine }: Pick<Capture, 'status' | 'engine'>, { busy, verdict, scriptDemand, embedded }: Pick<Derivation, 'busy' | 'verdict' | 'scriptDemand' | 'embedded'>): boolean {
  if (status < 200 || status >= 300 || status === 204) return false
  return busy === true || (verdict === 'empty' && engine === 'http' && scriptDemand === null && embedded === undefined)
}
