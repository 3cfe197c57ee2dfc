import { ServiceError } from '../../domain/errors.ts'
import type { ScrapeRequest } from '../../spec/scrape.ts'
import { type Abilities, plan } from './plan.ts'

/** Adds the place within the request to an error about options. */
function placed(error: unknown, at: string): unknown {
  if (!(error instanceof ServiceError) || !Array.isArray(error.details)) return error
  const details = error.details.map((one: { readonly path: readonly (string | number)[] }) => ({ ...one, path: [at, ...one.path] })) // of contract §1.3, as all arrays here
  return new ServiceError(error.code, error.message, { cause: error, details })
}

/** Whose page it is, and the path of its options within the request; absent if they are at the top level. */
interface Asker {
  readonly team: string
  readonly optionsAt?: string | undefined
}

/** Checks that this team can have pages scraped like that at all, before the first one is. Throws what planning throws. */
export function assertPlannable(page: ScrapeRequest, ports: Abilities & { readonly now: () => number }, { team, optionsAt }: Asker): void {
  try {
    plan(page, ports, team, ports.now())
  } catch (error) {
    throw optionsAt === undefined ? error : placed(error, optionsAt)
  }
}
