import { baseUrl } from '../base-url.ts'
import type { Caller } from '../ports.ts'
import type { Edge } from './handler.ts'

/** How long the start of a job may take before a repeated request counts as a new one. */
export const startMs = 60_000

/** The caller of a request, with an id for what the request creates. */
export function callerOf({ warnings, keepable }: { readonly warnings: readonly string[]; readonly keepable: boolean }, { team, key, request, options, newId }: Edge): Caller {
  return { id: newId(keepable), team, key, baseUrl: baseUrl(request, options.publicUrl), warnings }
}
