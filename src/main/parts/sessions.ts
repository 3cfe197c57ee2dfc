import { randomBytes, randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { promptAgent } from '../../app/agent/agent.ts'
import type { SessionPorts } from '../../app/interact/ports.ts'
import { type SessionService, sessionService } from '../../app/interact/service.ts'
import { jobMemory } from '../../app/jobs/pages/memory.ts'
import type { ScrapePorts } from '../../app/scrape/scrape.ts'
import type { Agent } from '../../domain/sessions/agent.ts'
import type { LiveBrowsers } from '../../domain/sessions/live-browser.ts'
import type { Model } from '../../domain/model.ts'
import type { Profiles } from '../../domain/sessions/profiles.ts'
import type { Sandbox } from '../../domain/sessions/sandbox.ts'
import type { Store } from '../../domain/store.ts'
import type { Log } from '../../http/ports.ts'
import { newId } from '../../lib/new-id.ts'
import { once } from '../../lib/once.ts'
import type { Config } from '../settings/config.ts'
import { ownCall } from './own-call.ts'

/** The parts of sessions. */
export interface SessionParts {
  readonly config: Config
  readonly store: Store
  readonly profiles: Profiles
  readonly scraping: ScrapePorts
  /** Null when this process has no browsers. */
  readonly browsers: Pick<LiveBrowsers, 'open'> | null
  readonly sandbox: Sandbox
  /** Null when none is configured. */
  readonly model: Model | null
  readonly log: Log
}

/** Live browser sessions in this process. */
export interface SessionWork {
  readonly service: SessionService
  start(): Promise<void>
  /** Ends the sessions of this process, and saves their profiles. */
  stop(graceMs: number): Promise<void>
}

const tickMs = 1_000

/** The agent led by a model; nothing of the browser is loaded before its first prompt. */
function agentOf({ model, config, scraping: { now, analyse } }: SessionParts): Agent | null {
  if (model === null) return null
  const hands = once(async () => (await import('../../browser/index.ts')).agentHands({ now }))
  const budget = { steps: config.TRAWL_AGENT_MAX_STEPS, tokens: config.TRAWL_AGENT_MAX_TOKENS }
  return promptAgent<Page>({ model, hands: async (page, call) => (await hands())(page, call), now, analyse, budget }) as Agent // a session's pages are the driver's
}

function sessionPorts(parts: SessionParts): SessionPorts {
  const { config, store, profiles, scraping, browsers, sandbox, log } = parts
  // robots.txt does not matter for a page that was fetched already.
  const jobs = jobMemory(store.jobs, () => null)
  return {
    sessions: store.sessions,
    ledger: scraping.ledger,
    results: store.results,
    pageOfJob: async (job, url) => (await jobs.of(job))?.page(url) ?? null,
    profiles,
    browsers,
    sandbox,
    agent: agentOf(parts),
    abilities: scraping,
    owner: { id: randomUUID(), url: config.TRAWL_PEER_URL },
    fleet: store.name === 'postgres',
    retentionMs: scraping.retentionMs,
    perTeam: config.TRAWL_MAX_BROWSER_SESSIONS,
    defaults: { ttlMs: config.TRAWL_SESSION_TTL_SECONDS * 1000, idleMs: config.TRAWL_SESSION_IDLE_SECONDS * 1000 },
    leaseMs: config.TRAWL_LEASE_MS,
    now: scraping.now,
    newId,
    newSecret: () => randomBytes(32).toString('base64url'),
    callFor: ({ session, signal, ...terms }) => ownCall({ ...terms, retention: 'normal', fields: { session } }, signal, { log, now: scraping.now }),
    log: (event, fields) => log('info', event, fields),
  }
}

/** Joins the parts of sessions. */
export function sessionWork(parts: SessionParts): SessionWork {
  const service = sessionService(sessionPorts(parts))
  let timer: NodeJS.Timeout | undefined
  let ticking = false
  const tick = (): void => {
    if (ticking) return
    ticking = true
    service.keeper
      .tick()
      .catch((error: unknown) => parts.log('error', 'upkeep-failed', { name: 'sessions', reason: String(error) }))
      .finally(() => (ticking = false))
  }
  return {
    service,
    async start() {
      await service.keeper.start()
      timer = setInterval(tick, tickMs).unref()
    },
    async stop(graceMs) {
      try {
        await service.keeper.stop(graceMs)
      } finally {
        clearInterval(timer)
        await parts.sandbox.close()
      }
    },
  }
}
