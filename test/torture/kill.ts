/** What the ways to end the service have in common. */
import type { TestService } from '../service.ts'
import { unlessGone } from './world.ts'

/** What a walk found. */
export interface Walk {
  /** Commits at which, or moments in which, the service was ended. */
  readonly kills: number
  readonly jobs: number
  readonly faults: readonly string[]
}

/** Where state is kept: in a new database of Postgres each time, or without it in the embedded store. */
export interface Where {
  readonly database?: () => Promise<string>
}

/** Waits. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Settings of a service that is to be ended. */
export function settingsOf(database: string | undefined): Record<string, string> {
  return {
    // The embedded store waits for no lease of a process that died.
    ...(database === undefined ? {} : { TRAWL_DATABASE_URL: database, TRAWL_LEASE_MS: '1000' }),
    TRAWL_ALLOW_PRIVATE_ADDRESSES: '127.0.0.1/32',
    TRAWL_WEBHOOK_ALLOW_PRIVATE_ADDRESSES: '127.0.0.1/32',
    TRAWL_WEBHOOK_RETRY_SCHEDULE_MS: '100,200,400,800,1600',
    // So that none is looked for.
    TRAWL_CHROMIUM_PATH: '/none',
  }
}

/** Asks until there is no fault, or it is too late: then says what is wrong. */
export async function settled(look: () => readonly string[], service: TestService | null = null): Promise<readonly string[]> {
  // Of Postgres, deliveries that a dead process had leased come after their lease of a quarter of a minute.
  for (let waited = 0; waited < 90_000 && look().length > 0; waited += 50) {
    if (service !== null && (await unlessGone(service.call('GET', '/health'))) === null) break
    await pause(50)
  }
  return look()
}
