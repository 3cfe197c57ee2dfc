import { baseUrl } from '../base-url.ts'
import type { Caller } from '../ports.ts'
import type { Edge } from './handler.ts'

/** How long the start of a job may take before a repeated request counts as a new one. */
export const startMs = 60_000

/** What the start of a job takes from its request, beside the options. */
export interface StartTerms {
  readonly warnings: readonly string[]
  readonly keepable: boolean
  /** Keys that the request itself contains. */
  readonly given: ReadonlySet<string>
}

/** The caller of a request, with an id for what the request creates. */
export function callerOf({ warnings, keepable, given }: StartTerms, { team, key, request, options, newId }: Edge): Caller {
  return { id: newId(keepable), team, key, baseUrl: baseUrl(request, options.publicUrl), warnings, given }
}
