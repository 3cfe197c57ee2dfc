import { type AccountPorts, firstKey, seedKeys } from '../app/accounts.ts'
import { parse } from '../app/parse.ts'
import type { ScrapePorts } from '../app/scrape/scrape.ts'
import { defaultTeam } from '../domain/teams/accounts.ts'
import { type HttpServer, httpApp } from '../http/app.ts'
import { assertPortFree } from '../http/port-free.ts'
import type { Log } from '../http/ports.ts'
import { sleep } from '../lib/sleep.ts'
import { steadyNow } from '../lib/steady-now.ts'
import { lateClaims } from './claims.ts'
import { databaseClock, systemClock } from './clock.ts'
import { tellingOfMissing } from './missing-blobs.ts'
import { markPlace } from './parts/blob-marker.ts'
import { blobsOf, openBlobPlace } from './parts/blobs.ts'
import { lookForBrowser } from './parts/browser.ts'
import { jobWork } from './parts/jobs.ts'
import { mapWork } from './parts/maps.ts'
import { outbound } from './parts/outbound.ts'
import { type Parts, partsOf } from './parts/parts.ts'
import { overseeCode, pageReader, sandboxOf } from './parts/sandbox.ts'
import { openSearchProviders } from './parts/search-providers.ts'
import { searchWork } from './parts/search.ts'
import { sessionWork } from './parts/sessions.ts'
import { openStoreOf } from './parts/store.ts'
import { webhooks } from './parts/webhooks.ts'
import { peers as fleetPeers } from './peers.ts'
import { admissionOf, httpPorts, scrapePorts, scraper, taskLoop } from './ports.ts'
import { remembering } from './removals.ts'
import { type Config, ConfigError } from './settings/config.ts'
import { metricsToken, type Role, rolesOf } from './settings/options.ts'
import { assertUsable } from './settings/usable.ts'
import { ending } from './stop.ts'
import { tallied } from './tallies.ts'
import { upkeep } from './upkeep.ts'
import { version } from './version.ts'
import { warmUpLater } from './warm-up.ts'

/** A running service. */
export interface Service {
  /** Where it listens; null for a process that nobody needs to reach. */
  readonly address: { readonly host: string; readonly port: number } | null
  /** Creates the first key when no key works; null when one does, or keys are off. */
  firstKey(): Promise<string | null>
  /** Stops accepting, finishes what runs (at most `graceMs`), releases the rest. */
  stop(graceMs: number): Promise<void>
  /** What a stop could not write so far, because the store is away. */
  readonly unwritten: ReadonlySet<string>
}

function accountPorts({ config, store }: Parts): AccountPorts {
  return { accounts: store.accounts, now: systemClock.now, creditsPerTeam: config.TRAWL_CREDITS }
}

async function assertAddressFree({ TRAWL_HOST: host, TRAWL_PORT: port }: Config): Promise<void> {
  try {
    await assertPortFree(port, host)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EADDRNOTAVAIL') throw new ConfigError(`TRAWL_HOST: ${host} is no address of this machine.`)
    throw error
  }
}

async function listen(app: HttpServer, { config, out }: Parts): Promise<{ host: string; port: number }> {
  await app.listen({ host: config.TRAWL_HOST, port: config.TRAWL_PORT, exclusive: true })
  const addresses = app.addresses().filter((address) => typeof address === 'object')
  for (const { address, port } of addresses) out.own.add({ address, port })
  return { host: config.TRAWL_HOST, port: addresses[0]?.port ?? config.TRAWL_PORT }
}

/** Logs failures of work that nobody awaits; `pending` holds that work, for a stop to wait for. */
function backgroundWork(log: Log): { readonly pending: ReadonlySet<Promise<unknown>>; readonly background: ScrapePorts['background'] } {
  const pending = new Set<Promise<unknown>>()
  return {
    pending,
    background(work) {
      const guarded = work.catch((error: unknown) => log('warn', 'background-failed', { reason: String(error) })).finally(() => pending.delete(guarded))
      pending.add(guarded)
    },
  }
}

async function prepareTeams(parts: Parts): Promise<void> {
  const { config, store, terms } = parts
  await seedKeys(config.TRAWL_API_KEYS, accountPorts(parts))
  if (config.TRAWL_AUTH === 'off') await store.accounts.ensureTeam(defaultTeam, config.TRAWL_CREDITS, systemClock.now())
  await terms.refresh()
}

async function prepareWorker(parts: Parts, code: ReturnType<typeof sandboxOf>): Promise<void> {
  const { config, out, log } = parts
  await overseeCode(code, parts)
  lookForBrowser(out.browser, config, log)
  // Loading blocks the process, and others take the sessions of a process that is blocked for long for lost.
  if (config.TRAWL_PEER_URL !== null) await out.browser.load()
}

/** How a process takes part: its roles, and whether clients or other processes reach it. */
interface Part {
  readonly roles: readonly Role[]
  readonly works: boolean
  readonly reachable: boolean
}

function partIn(config: Config): Part {
  const roles = rolesOf(config.TRAWL_ROLES)
  return { roles, works: roles.includes('worker'), reachable: roles.includes('api') || config.TRAWL_PEER_URL !== null }
}

/** Joins ports and adapters as configured; nothing serves or works yet. Throws `ConfigError`, and what opening the store throws. */
async function assemble(config: Config, { roles, works, reachable }: Part, { log, onFatal }: { readonly log: Log; readonly onFatal: (error: Error) => void }) {
  const out = outbound(config, systemClock, log)
  const providers = openSearchProviders(config, { own: out.own, fetcher: out.fetcher, now: systemClock.now })
  const { store, tallies } = tallied(await openStoreOf(config, { onFatal }))
  const place = await openBlobPlace(config, out.own)
  const blobs = remembering(tellingOfMissing(blobsOf(config, place, store), log, steadyNow), systemClock.now)
  const parts = partsOf({ config, log, store, out, blobs, tallies })
  const { terms } = parts
  const { pending, background } = backgroundWork(log)
  const ports = scrapePorts(parts, works ? out.engines : [], background)
  const claims = lateClaims(store.idempotency, systemClock.now)
  const keeper = upkeep(store, blobs, { terms, claims, cacheMaxBytes: config.TRAWL_CACHE_MAX_BYTES, leaseMs: config.TRAWL_LEASE_MS, alone: store.name === 'sqlite', now: systemClock.now, log })
  const admit = admissionOf(parts)
  const hooks = webhooks(config, { outbox: store.outbox, blobs: parts.blobs, bodies: parts.bodies, out, clock: systemClock, log, secretOf: terms.webhookSecret, onChange: store.queue.onChange })
  const site = { fetcher: out.fetcher, now: systemClock.now, steady: steadyNow, breathe: () => new Promise<void>((resolve) => setImmediate(resolve)), sleep }
  const jobs = jobWork({ config, store, scraping: ports, site, admission: admit, webhooks: hooks, log })
  const maps = mapWork({ store, scraping: ports, site, log, works })
  const tasks = works ? taskLoop(parts, ports, maps.handlers) : null
  const workers = tasks !== null ? [{ work: tasks, writes: 'leases of tasks' }, { work: jobs.seeds, writes: 'leases of sitemaps' }, { work: jobs.pump, writes: 'leases of pages' }, { work: hooks.pump, writes: 'ends of deliveries' }] : []
  const code = sandboxOf(config, pageReader(ports.compute))
  const sessions = sessionWork({ config, store, profiles: parts.profiles, scraping: ports, browsers: works ? out.browser.sessions : null, sandbox: code, model: parts.model, log })
  const peers = fleetPeers(config, out.own, systemClock.now)
  const options = { version, roles, auth: config.TRAWL_AUTH === 'on', metricsToken: metricsToken(config), publicUrl: config.TRAWL_PUBLIC_URL, peersOnly: !roles.includes('api'), code: code.known, damaged: store.isDamaged }
  const scrapes = scraper(parts, ports, roles)
  const searches = searchWork({ store, scraping: ports, admission: admit, scrape: scrapes, providers: providers.list })
  const app = reachable ? httpApp(httpPorts(parts, { tasks, admission: admit, idempotency: { idempotency: claims, blobs, now: systemClock.now }, scrape: scrapes, parse: (job, call) => parse(job, ports, call), startBatch: jobs.startBatch, startCrawl: jobs.startCrawl, crawlOptions: jobs.crawlOptions, map: maps.map, search: searches, keyUsed: keeper.keyUsed, sessions: sessions.service, peers }), options) : null
  const shared = databaseClock(store, log)
  const coolDown = works ? warmUpLater(config, () => admit.inUse() === 0, log) : () => undefined
  const end = ending({
    store,
    works: [{ end: (graceMs) => app?.drain(graceMs), writes: 'answers' }, { end: (graceMs) => sessions.stop(graceMs), writes: 'ends of sessions' }, ...workers.map(({ work, writes }) => ({ end: (graceMs: number) => work.stop(graceMs), writes }))],
    keeper,
    rest: [shared.stop, coolDown, ports.close, hooks.close, providers.close, () => peers?.close(), out.close, () => parts.model?.close()],
    pending,
    place,
  })
  return { parts, place, background, shared, keeper, workers, code, sessions, app, end }
}

/**
 * Joins ports and adapters as configured, and starts to serve. Throws `ConfigError`, and what opening the store or the port
 * throws.
 */
export async function startService(config: Config, log: Log, onFatal: (error: Error) => void): Promise<Service> {
  assertUsable(config)
  const part = partIn(config)
  // Otherwise other processes would take the one that listens there for dead, and its sessions for lost, as soon as this
  // one registers.
  if (part.reachable) await assertAddressFree(config)
  const { parts, place, background, shared, keeper, workers, code, sessions, app, end } = await assemble(config, part, { log, onFatal })
  const { store } = parts
  try {
    // What is written from here on has the time of the fleet, if the database answers in time.
    await shared.start()
    await prepareTeams(parts)
    if (part.works) await prepareWorker(parts, code)
    await sessions.start()
    const address = app === null ? null : await listen(app, parts)
    for (const { work } of workers) work.start()
    keeper.start()
    if (store.name === 'postgres') background(markPlace(store.blobMarker, place, log))
    return {
      address,
      firstKey: async () => (config.TRAWL_AUTH === 'off' ? null : firstKey(accountPorts(parts))),
      stop: end.stop,
      unwritten: end.unwritten,
    }
  } catch (error) {
    await end.abandon(async () => app?.close())
    throw error
  }
}
