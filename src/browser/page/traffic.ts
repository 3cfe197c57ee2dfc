import type { Page, Request, Response, WebSocket } from 'playwright-core'
import { urlOf, withoutCredentials } from '../../lib/url-of.ts'
import type { Data } from './data.ts'

/** A page's network activity. */
export interface Traffic {
  /** Number of requests so far that can change the content. */
  started(): number
  /** Pending requests that can change the content, oldest first; without those whose data stopped coming. */
  pending(now: number): readonly PendingRequest[]
  /** Resolves at the next change of these. */
  change(): Promise<void>
  /** The response to the last navigation of the main frame that was answered; redirects are left out. */
  main(): Response | null
  /**
   * The response of the document that is shown, if there is one; otherwise as `main`. A response may bring none: a file, or
   * status 204.
   */
  shown(): Response | null
  /** Whether the site broke off that response in the middle. */
  brokeOff(): boolean
  /** The addresses of documents of frames that have not arrived, as the page asked for them. */
  frames(): readonly string[]
  /** Whether the body of that response is still arriving. */
  arriving(): boolean
  /** Whether the page started a download instead of showing a document. Downloads of frames and scripts do not count. */
  downloading(): boolean
  /** Whether the page has opened an event stream, or a web socket over which nothing came yet: what it shows may come there. */
  streams(): boolean
  /** Pictures and fonts being loaded, and when the last one started or ended. */
  images(): { readonly open: number; readonly lastMs: number }
  /** Number of documents in the main frame so far. */
  documents(): number
  /** Number of documents requested in the main frame, by us or by the page; redirects do not count. */
  asked(): number
}

export interface PendingRequest {
  readonly ageMs: number
  /** In the driver's terms; `worker` for what is probably a worker's script. */
  readonly kind: string
  readonly sameSite: boolean
}

/** Types that bring text. Pictures, fonts, media, event streams and beacons do not, and some of those never end. */
const relevant: ReadonlySet<string> = new Set(['document', 'script', 'xhr', 'fetch', 'stylesheet'])

const visible: ReadonlySet<string> = new Set(['image', 'font'])

/** How many downloads of a page are distinguished. */
const maxDownloads = 100

/** Listens to the page from now on. */
export function traffic(page: Page, data: Data): Traffic {
  const open = new Map<Request, number>()
  let count = 0
  let main: Response | null = null
  let shown: Response | null = null
  let broken: Request | null = null
  const downloads = new Set<string>()
  let documents = 0
  let asked = 0
  let wake = (): void => {}
  let changed = new Promise<void>((resolve) => (wake = resolve))
  const announce = (): void => {
    wake()
    changed = new Promise<void>((resolve) => (wake = resolve))
  }
  // Called whenever one of the two has changed, because either may come first.
  const match = (): void => {
    if (main !== null && !withoutDocument.has(main.status()) && addressOf(main.url()) === addressOf(page.url())) shown = main
  }
  const images = new Set<Request>()
  let lastImage = 0
  const done = (request: Request): void => {
    if (images.delete(request)) lastImage = performance.now()
    if (open.delete(request)) announce()
  }

  page.on('request', (request) => {
    const kind = request.resourceType()
    if (visible.has(kind)) {
      images.add(request)
      lastImage = performance.now()
    }
    if (!relevant.has(kind)) return
    count++
    if (request.isNavigationRequest() && request.redirectedFrom() === null && request.frame() === page.mainFrame()) asked++
    open.set(request, performance.now())
    announce()
  })
  page.on('requestfinished', done)
  page.on('requestfailed', (request) => {
    // A request aborted by the page or by us is not broken off.
    if (request === main?.request() && request.failure()?.errorText !== 'net::ERR_ABORTED') broken = request
    done(request)
  })
  page.on('response', (response) => {
    if (!isMain(page, response) || isRedirect(response)) return
    main = response
    match()
  })
  page.on('download', (download) => {
    if (downloads.size < maxDownloads) downloads.add(withoutFragment(download.url()))
    announce()
  })
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame()) return
    documents++
    match()
    announce()
  })

  return {
    started: () => count,
    pending: (now) => [...open].filter(([request]) => !data.fallenSilent(request, now)).map(([request, since]) => ({ ageMs: now - since, kind: isOfWorker(request) ? 'worker' : request.resourceType(), sameSite: hostOf(request.url()) === hostOf(page.url()) })),
    change: () => changed,
    main: () => main,
    shown: () => shown ?? main,
    brokeOff: () => broken !== null && broken === main?.request(),
    arriving: () => main !== null && open.has(main.request()),
    frames: () => [...open.keys()].filter((request) => request.isNavigationRequest() && request.frame() !== page.mainFrame()).map(askedFor),
    downloading: () => downloads.size > 0 && (main === null || addressesOf(main).some((url) => downloads.has(url))),
    streams: streamsOf(page),
    images: () => ({ open: images.size, lastMs: lastImage }),
    documents: () => documents,
    asked: () => asked,
  }
}

/** The address that was asked for first, whatever it redirected to. */
function askedFor(request: Request): string {
  let first = request
  for (let before = first.redirectedFrom(); before !== null; before = first.redirectedFrom()) first = before
  return first.url()
}

/** Listens for streams that may bring what the page shows; of an event stream, the driver does not tell when something came. */
function streamsOf(page: Page): () => boolean {
  const silent = new Set<Request | WebSocket>()
  page.on('request', (request) => void (request.resourceType() === 'eventsource' && silent.add(request)))
  page.on('requestfinished', (request) => void silent.delete(request))
  page.on('requestfailed', (request) => void silent.delete(request))
  page.on('websocket', (socket) => {
    silent.add(socket)
    socket.once('framereceived', () => void silent.delete(socket))
    socket.once('close', () => void silent.delete(socket))
  })
  return () => silent.size > 0
}

/**
 * Whether a request is probably for a worker's script: it has no document as its referrer. The driver never reports the
 * responses of shared workers.
 */
function isOfWorker(request: Request): boolean {
  return request.resourceType() === 'script' && request.headers()['referer'] === undefined
}

function isMain(page: Page, response: Response): boolean {
  const request = response.request()
  // A navigation belongs to the main frame or to an existing frame, so asking for the frame is safe.
  return request.isNavigationRequest() && request.frame() === page.mainFrame()
}

/** Statuses after which the page stays as it is. */
const withoutDocument: ReadonlySet<number> = new Set([204, 205])

const addressOf = (url: string): string => withoutCredentials(withoutFragment(url))

const withoutFragment = (url: string): string => url.replace(/#.*/s, '')

/** The address of a response, and those that redirected to it. */
function addressesOf(response: Response): readonly string[] {
  const addresses: string[] = []
  for (let request: Request | null = response.request(); request !== null; request = request.redirectedFrom()) addresses.push(withoutFragment(request.url()))
  return addresses
}

/** Statuses that redirect a browser; without a location, the response is the document. */
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

function isRedirect(response: Response): boolean {
  return redirects.has(response.status()) && (response.headers()['location'] ?? '') !== ''
}

function hostOf(url: string): string {
  return urlOf(url)?.hostname ?? ''
}
