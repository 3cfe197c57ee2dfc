import type { Page, Request, Response } from 'playwright-core'
import { urlOf, withoutCredentials } from '../../lib/url-of.ts'

/** What a page is waiting for from the network. */
export interface Traffic {
  /** How many requests that can change the content have begun so far. */
  started(): number
  /** Requests under way that can change the content, oldest first. */
  pending(now: number): readonly PendingRequest[]
  /** Resolves at the next change of the above. */
  change(): Promise<void>
  /** The answer that the main document came with: the last navigation that was answered, redirects left out. */
  main(): Response | null
  /** The answer of the document that is shown, where one is; else as `main`. An answer may bring none: a file, or status 204. */
  shown(): Response | null
  /** Whether the site broke off in the middle of that answer. */
  brokeOff(): boolean
  /** Whether the body of that answer is still under way. */
  arriving(): boolean
  /** Whether the page has begun a download in place of showing a document; one of a frame or a script is beside it. */
  downloading(): boolean
  /** Pictures and fonts under way, and when the last of them came or went. */
  images(): { readonly open: number; readonly lastMs: number }
  /** Documents of the main frame so far. */
  documents(): number
  /** Documents that were asked for in its frame, by us or by itself; redirects do not count. */
  asked(): number
}

export interface PendingRequest {
  readonly ageMs: number
  /** As the driver names it; `worker` for what is probably the script of one. */
  readonly kind: string
  readonly sameSite: boolean
}

/** Kinds that bring text. Pictures, fonts, media, streams of events and beacons do not; some of them never end. */
const relevant: ReadonlySet<string> = new Set(['document', 'script', 'xhr', 'fetch', 'stylesheet'])

const visible: ReadonlySet<string> = new Set(['image', 'font'])

/** Downloads of one page that are told apart. */
const maxDownloads = 100

/** Listens to the page from now on. */
export function traffic(page: Page): Traffic {
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
  // Called where either of the two has changed, whichever comes first.
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
    // What is aborted, the page or we had enough of.
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
    pending: (now) => [...open].map(([request, since]) => ({ ageMs: now - since, kind: isOfWorker(request) ? 'worker' : request.resourceType(), sameSite: hostOf(request.url()) === hostOf(page.url()) })),
    change: () => changed,
    main: () => main,
    shown: () => shown ?? main,
    brokeOff: () => broken !== null && broken === main?.request(),
    arriving: () => main !== null && open.has(main.request()),
    downloading: () => downloads.size > 0 && (main === null || addressesOf(main).some((url) => downloads.has(url))),
    images: () => ({ open: images.size, lastMs: lastImage }),
    documents: () => documents,
    asked: () => asked,
  }
}

/** Whether it is probably for the script of a worker, for which no document vouches. The answers to those of shared workers are never heard of. */
function isOfWorker(request: Request): boolean {
  return request.resourceType() === 'script' && request.headers()['referer'] === undefined
}

function isMain(page: Page, response: Response): boolean {
  const request = response.request()
  // A navigation is of the page's own frame or of one that is there already: asking for the frame is safe.
  return request.isNavigationRequest() && request.frame() === page.mainFrame()
}

/** Statuses after which the page stays as it is. */
const withoutDocument: ReadonlySet<number> = new Set([204, 205])

const addressOf = (url: string): string => withoutCredentials(withoutFragment(url))

const withoutFragment = (url: string): string => url.replace(/#.*/s, '')

/** Where an answer came from, and what redirected there. */
function addressesOf(response: Response): readonly string[] {
  const addresses: string[] = []
  for (let request: Request | null = response.request(); request !== null; request = request.redirectedFrom()) addresses.push(withoutFragment(request.url()))
  return addresses
}

/** Statuses by which a browser goes on to where the answer says; where it says nothing, the answer is the document. */
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

function isRedirect(response: Response): boolean {
  return redirects.has(response.status()) && (response.headers()['location'] ?? '') !== ''
}

function hostOf(url: string): string {
  return urlOf(url)?.hostname ?? ''
}
