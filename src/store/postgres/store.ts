import type { Store } from '../../domain/ports.ts'

/** Which server. */
export interface PostgresOptions {
  readonly url: string
}

/** Opens the shared store. */
export async function postgresStore(_options: PostgresOptions): Promise<Store> {
  throw new Error('The Postgres store is not in this build.')
}
