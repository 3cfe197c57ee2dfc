import type { BrowserContext, Frame, Page } from 'playwright-core'
import type { BrowserState } from '../../domain/sessions/live-browser.ts'
import { profileBytes } from '../../domain/sessions/profiles.ts'
import { blank } from './blank.ts'
import { putScript, takeScript } from './script.ts'
import { webUrlOf } from '../../lib/url-of.ts'

/** The storage of one origin, in the format of the driver's `storageState`. */
interface OriginState {
  readonly origin: string
  readonly localStorage?: readonly object[]
  readonly indexedDB?: readonly Database[]
}

interface Database {
  readonly name: string
}

type Cookies = Parameters<BrowserContext['addCookies']>[0]

/** Parses a stored state; empty without one. */
export function stateFrom(bytes: Uint8Array | null): BrowserState {
  return bytes === null ? { cookies: [], origins: [] } : (JSON.parse(Buffer.from(bytes).toString()) as BrowserState) // written by `bytesOf`
}

/** A state as bytes, to be stored. */
export const bytesOf = (state: BrowserState): Uint8Array => Buffer.from(JSON.stringify(state))

/** Most milliseconds of a visit that may be spent on one origin. */
const originMs = 15_000

/**
 * Puts a state into a fresh context before its first page is shown. Returns the origins whose storage could not be
 * completely restored: their known state must not be replaced by what is there.
 */
export async function putState(context: BrowserContext, { cookies, origins }: BrowserState, left: () => number): Promise<ReadonlySet<string>> {
  await putCookies(context, cookies as Cookies) // as `takeState` got them from the driver
  const failed = new Set<string>()
  if (origins.length === 0) return failed
  const page = await blank(context)
  try {
    for (const state of origins as readonly OriginState[]) { // as `takeState` wrote them
      const lost = await page.at<number>(state.origin, putScript(state), Math.min(originMs, left())).catch(() => 1)
      if (lost > 0) failed.add(state.origin)
    }
  } finally {
    await page.close()
  }
  return failed
}

async function putCookies(context: BrowserContext, cookies: Cookies): Promise<void> {
  const seconds = Date.now() / 1_000
  const fresh = cookies.filter(({ expires = -1 }) => expires === -1 || expires > seconds)
  if (fresh.length === 0) return
  // A single cookie that the browser rejects would keep all of them out.
  await context.addCookies(fresh).catch(async () => {
    for (const cookie of fresh) await context.addCookies([cookie]).catch(() => undefined)
  })
}

/** The web origins that were seen. */
export interface Origins {
  /** Those of pages first, then those of frames. */
  all(): readonly string[]
}

/** A page full of third-party frames must not make a visit last long. */
const maxOrigins = 40
/** Of pages and of frames; beyond this, they are not even counted. */
const mostSeen = 1_000

/** Records from now on which origins the pages of a context show. */
export function originsIn(context: BrowserContext): Origins {
  const pages = new Set<string>()
  const frames = new Set<string>()
  const note = (frame: Frame): void => {
    const url = webUrlOf(frame.url())
    const known = frame.parentFrame() === null ? pages : frames
    if (url !== null && known.size < mostSeen) known.add(url.origin)
  }
  const watch = (page: Page): void => void page.on('framenavigated', note)
  for (const page of context.pages()) watch(page)
  context.on('page', watch)
  return { all: () => [...new Set([...pages, ...frames])] }
}

/** What a context remembers, and warnings about what could not be taken. */
export interface TakenState {
  /** Null when it is larger than what is kept. */
  readonly state: BrowserState | null
  readonly warnings: readonly string[]
}

/** The state before the visit, and what may have changed. */
export interface Since {
  readonly before: BrowserState
  /** Origins that were shown; for all others the state before still holds. */
  readonly origins: readonly string[]
  /** Origins whose storage was not completely restored. */
  readonly failed: ReadonlySet<string>
}

interface Dump {
  readonly localStorage: readonly object[]
  readonly indexedDB: readonly Database[]
  /** Number of records that cannot be exported. */
  readonly lost: number
  /** Databases that could not be read this time, for example because the page is changing them. */
  readonly unread: readonly string[]
}

/** Takes what a context remembers: its cookies, and the storage of the origins that were shown. */
export async function takeState(context: BrowserContext, { before, origins, failed }: Since, left: () => number): Promise<TakenState> {
  const cookies = await context.cookies()
  const known = new Map((before.origins as readonly OriginState[]).map((one) => [one.origin, one])) // as written below
  const shown = origins.filter((origin) => !failed.has(origin))
  const looked = shown.slice(0, maxOrigins)
  const warnings: string[] = shown.length === looked.length ? [] : [`What ${shown.length - maxOrigins} of ${shown.length} sites and frames stored in the browser was not taken, as only the first ${maxOrigins} are; their profile is as it was.`]
  const page = looked.length === 0 ? null : await blank(context)
  try {
    for (const origin of looked) {
      const dump = await page?.at<Dump | { readonly tooLarge: true }>(origin, takeScript(profileBytes), Math.min(originMs, left())).catch(() => null)
      if (dump === null || dump === undefined) warnings.push(`What ${origin} stored in the browser could not be taken; its profile is as it was.`)
      else if ('tooLarge' in dump) return { state: null, warnings: [`The profile was not saved: ${origin} stores more than is kept (${profileBytes / 1024 ** 2} MB).`] }
      else {
        if (dump.lost > 0) warnings.push(`Of what ${origin} stored in IndexedDB ${dump.lost} ${dump.lost === 1 ? 'entry' : 'entries'} cannot be kept.`)
        if (dump.unread.length > 0) warnings.push(`Of what ${origin} stored in IndexedDB ${dump.unread.length} ${dump.unread.length === 1 ? 'database' : 'databases'} could not be read; that part of the profile is as it was.`)
        const indexedDB = [...dump.indexedDB, ...(known.get(origin)?.indexedDB ?? []).filter(({ name }) => dump.unread.includes(name))]
        known.delete(origin)
        if (dump.localStorage.length + indexedDB.length > 0) known.set(origin, { origin, localStorage: dump.localStorage, indexedDB })
      }
    }
  } finally {
    await page?.close()
  }
  if (failed.size > 0) warnings.push('Some of the profile could not be put into the browser; that part of it is as it was.')
  return { state: { cookies, origins: [...known.values()] }, warnings }
}
