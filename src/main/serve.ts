import { setFlagsFromString } from 'node:v8'
import type { Config } from './config.ts'
import { jsonLog } from './log.ts'
import { baseUrl, listeningUrl } from './options.ts'
import { type Service, startService } from './service.ts'

/** What runs at SIGTERM may take this long; the process is gone within 15 s in any case (R13). */
const graceMs = 10_000
const hardStopMs = 14_500

/**
 * By how much the heap may grow over what lives in it until it is swept. The engine's own measure is a multiple of it. A crawl of 20,000 pages by
 * a new process, at the peak and by the page (in turns): 282 MB and 5.25 ms with 150, 264 and 5.0 with 100, 255 and 5.2 with 80, 244 and 5.35 with
 * 50, 238 and 6.3 with 30; one of 200 pages has 181 MB. A service lives long, a command does not: it is for the service alone.
 */
const growthPercent = 60

function banner(base: string, key: string | null, config: Config): string {
  const bearer = key ?? '<your key>'
  const auth = config.TRAWL_AUTH === 'off' ? '' : ` -H 'Authorization: Bearer ${bearer}'`
  const curl = `curl -s ${base}/v2/scrape${auth} -H 'Content-Type: application/json' -d '{"url":"https://example.com/"}'`
  const first = key === null ? [] : [`Your API key, shown this once (team default): ${key}`]
  return ['', `Trawl is ready on ${base}`, ...first, '', `  ${curl}`, '', 'Stop with Ctrl-C.', ''].join('\n')
}

/** Ends the process when a signal comes: at once while nothing is served yet, in order from when the service is given. */
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
  process.on('SIGTERM', () => stop('SIGTERM'))
  process.on('SIGINT', () => stop('SIGINT'))
  return (started) => void (service = started)
}

/** Serves until a signal comes. Throws `ConfigError`, and what opening the store or the port throws. */
export async function serve(config: Config, firstRun: boolean): Promise<void> {
  const log = jsonLog(config.TRAWL_LOG_LEVEL)
  const onFatal = (error: Error): void => {
    log('error', 'store-died', { reason: error.message })
    process.exit(1)
  }
  // A promise that nobody waited for is a fault to be found, not a reason to drop everybody's requests.
  process.on('unhandledRejection', (reason) => log('error', 'unhandled-rejection', { reason: reason instanceof Error ? (reason.stack ?? reason.message) : String(reason) }))
  // From here on: as the first process of a container it would not hear of a signal that it does not listen to.
  const serving = stopOnSignal(log)
  const service = await startService(config, log, onFatal)
  serving(service)
  // Not before: once a flag differs, Node's own modules are compiled from their sources, in each new thread too.
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`)
  const { address } = service
  log('info', 'started', { roles: config.TRAWL_ROLES, ...(address === null ? {} : { address: listeningUrl(address.host, address.port) }) })
  if (firstRun && address !== null) console.log(banner(baseUrl(address.host, address.port), await service.firstKey(), config))
}
