import { setFlagsFromString } from 'node:v8'
import { defaultTeam } from '../domain/teams/accounts.ts'
import type { Config } from './settings/config.ts'
import { causeOf } from '../http/errors.ts'
import { jsonLog } from './log.ts'
import { baseUrl, listeningUrl } from './settings/options.ts'
import { type Service, startService } from './service.ts'

/** Limit for finishing at SIGTERM; the process ends within 15 s in any case (R13). */
const graceMs = 10_000
const hardStopMs = 14_500

/**
 * By how many percent the heap may grow over its live objects before it is collected; the engine's default is a multiple of
 * that. Measured with a crawl of 20,000 pages by a new process, peak memory and time per page: 282 MB and 5.25 ms at 150,
 * 264 and 5.0 at 100, 255 and 5.2 at 80, 244 and 5.35 at 50, 238 and 6.3 at 30; a crawl of 200 pages has 181 MB. Only for
 * the service, because a command does not live long.
 */
const growthPercent = 60

function banner(base: string, key: string | null, config: Config): string {
  const bearer = key ?? '<your key>'
  const auth = config.TRAWL_AUTH === 'off' ? '' : ` -H 'Authorization: Bearer ${bearer}'`
  const curl = `curl -s ${base}/v2/scrape${auth} -H 'Content-Type: application/json' -d '{"url":"https://example.com/"}'`
  const first = key === null ? [] : [`Your API key, shown this once (team ${defaultTeam}): ${key}`]
  return ['', `Trawl is ready on ${base}`, ...first, '', `  ${curl}`, '', 'Stop with Ctrl-C.', ''].join('\n')
}

/** Ends the process on a signal: at once while nothing is served yet, in order once the service is given. */
function stopOnSignal(log: ReturnType<typeof jsonLog>): (service: Service) => void {
  let service: Service | null = null
  let stopping = false
  const stop = (signal: string): void => {
    if (stopping) return
    stopping = true
    log('info', 'stopping', { signal })
    if (service === null) process.exit(0)
    const { unwritten } = service
    const end = (status: number): never => {
      if (unwritten.size > 0) log('warn', 'stop-unwritten', { what: [...unwritten].join(', '), reason: 'The store is away.' })
      process.exit(status)
    }
    setTimeout(() => end(0), hardStopMs).unref()
    service.stop(graceMs).then(
      () => end(0),
      (error: unknown) => {
        log('error', 'stop-failed', { reason: String(error) })
        end(1)
      },
    )
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) { // `const`: names of signals
    const whileLoading = process.listeners(signal)
    // Before the others go: with its last listener Node forgets a signal that has come and was not told yet.
    process.on(signal, () => stop(signal))
    for (const listener of whileLoading) process.off(signal, listener)
  }
  return (started) => void (service = started)
}

/** Serves until a signal comes. Throws `ConfigError`, and what opening the store or the port throws. */
export async function serve(config: Config, firstRun: boolean): Promise<void> {
  const log = jsonLog(config.TRAWL_LOG_LEVEL)
  const onFatal = (error: Error): void => {
    log('error', 'store-died', { reason: error.message })
    process.exit(1)
  }
  // An unhandled rejection is a bug to be found, but no reason to drop everybody's requests.
  process.on('unhandledRejection', (reason) => log('error', 'unhandled-rejection', { reason: causeOf(reason) }))
  // From the start: as the first process of a container it would ignore signals that it does not handle.
  const serving = stopOnSignal(log)
  const service = await startService(config, log, onFatal)
  serving(service)
  // Not earlier: once a flag differs, Node compiles its own modules from source, in each new thread too.
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`)
  const { address } = service
  log('info', 'started', { roles: config.TRAWL_ROLES, ...(address === null ? {} : { address: listeningUrl(address.host, address.port) }) })
  if (firstRun && address !== null) console.log(banner(baseUrl(address.host, address.port), await service.firstKey(), config))
}
