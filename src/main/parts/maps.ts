import { delegate, type DelegatePorts, runDelegated } from '../../app/delegate.ts'
import { mapSite, mapTask } from '../../app/map/map.ts'
import type { MapJob, MapPorts } from '../../app/map/ports.ts'
import type { ScrapePorts } from '../../app/scrape/scrape.ts'
import type { SitePorts } from '../../app/site/ports.ts'
import { robotsShelf } from '../../app/site/robots-shelf.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { Store } from '../../domain/store.ts'
import { errandLog } from '../../http/call.ts'
import type { HttpPorts, Log } from '../../http/ports.ts'
import { newId } from '../../lib/new-id.ts'
import { sleep } from '../../lib/sleep.ts'
import type { TaskHandler } from '../../worker/loop.ts'

/** The parts of maps. */
export interface MapParts {
  readonly store: Store
  readonly scraping: ScrapePorts
  readonly site: SitePorts
  readonly log: Log
  /** Whether this process has engines; otherwise a worker of the fleet makes the map. */
  readonly works: boolean
}

/** Maps in this process. */
export interface MapWork {
  readonly map: HttpPorts['map']
  /** Handlers of tasks in the general queue. */
  readonly handlers: Readonly<Record<string, TaskHandler>>
}

/** Joins the parts of maps. */
export function mapWork({ store, scraping, site, log, works }: MapParts): MapWork {
  const { blobs, now } = scraping
  const ports: MapPorts = { ...scraping, cache: store.cache, site, robots: robotsShelf(site), newId }
  const run: HttpPorts['map'] = (job, call) => mapSite(job, ports, call)
  const queue: DelegatePorts = { queue: store.queue, blobs, now, sleep }
  const sent: HttpPorts['map'] = (job, call) => delegate({ kind: mapTask, job, attempts: 3, unfinished: new ServiceError('MAP_FAILED', 'The workers that tried this site did not finish it.') }, queue, call)
  return {
    map: works ? run : sent,
    handlers: {
      [mapTask]: (task, lost) => runDelegated<MapJob>(task, run, { blobs, now, lost, logOf: errandLog(task.id, log) }),
    },
  }
}
