import { baseUrl } from '../base-url.ts'
import type { Caller } from '../ports.ts'
import type { Edge } from './handler.ts'

/** How long the start of a job may take before a repeat of its request counts as a new one. */
export const startMs = 60_000

/** On whose behalf a request is served, with an id for what it makes. */
export function callerOf({ warnings, keepable }: { readonly warnings: readonly string[]; readonly keepable: boolean }, { team, key, request, options, newId }: Edge): Caller {
  return { id: newId(keepable), team, key, baseUrl: baseUrl(request, options.publicUrl), warnings }
}
