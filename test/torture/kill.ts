/** The common part of the ways to kill the service. */
import type { TestService } from '../service.ts'
import { unlessGone } from './world.ts'

/** The result of a walk. */
export interface Walk {
  /** The number of kills. */
  readonly kills: number
  readonly jobs: number
  readonly faults: readonly string[]
}

/** The store: a new Postgres database each time, or the embedded store without one. */
export interface Where {
  readonly database?: () => Promise<string>
}

/** Waits for `ms` milliseconds. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** The settings of a service that is to be killed. */
export function settingsOf(database: string | undefined): Record<string, string> {
  return {
    // The embedded store does not wait for the leases of a dead process.
    ...(database === undefined ? {} : { TRAWL_DATABASE_URL: database, TRAWL_LEASE_MS: '1000' }),
    TRAWL_ALLOW_PRIVATE_ADDRESSES: '127.0.0.1/32',
    TRAWL_WEBHOOK_ALLOW_PRIVATE_ADDRESSES: '127.0.0.1/32',
    TRAWL_WEBHOOK_RETRY_SCHEDULE_MS: '100,200,400,800,1600',
    // Avoids the search for a browser.
    TRAWL_CHROMIUM_PATH: '/none',
  }
}

/** Polls until there is no fault, or returns the faults when it is too late. */
export async function settled(look: () => readonly string[], service: TestService | null = null): Promise<readonly string[]> {
  // On Postgres, deliveries that a dead process had leased are repeated after their lease of a quarter of a minute.
  for (let waited = 0; waited < 90_000 && look().length > 0; waited += 50) {
    if (service !== null && (await unlessGone(service.call('GET', '/health'))) === null) break
    await pause(50)
  }
  return look()
}
