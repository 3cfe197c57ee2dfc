import type { BrowserContext, Frame, Page } from 'playwright-core'
import type { BrowserState } from '../../domain/live-browser.ts'
import { profileBytes } from '../../domain/profiles.ts'
import { blank } from './blank.ts'
import { putScript, takeScript } from './script.ts'
import { urlOf } from '../../lib/url-of.ts'

/** What one origin has stored, in the form of the driver's `storageState`. */
interface OriginState {
  readonly origin: string
  readonly localStorage?: readonly object[]
  readonly indexedDB?: readonly object[]
}

type Cookies = Parameters<BrowserContext['addCookies']>[0]

/** A state as bytes; what is no state is none. */
export function stateFrom(bytes: Uint8Array | null): BrowserState {
  return bytes === null ? { cookies: [], origins: [] } : (JSON.parse(Buffer.from(bytes).toString()) as BrowserState) // written by `bytesOf`
}

/** A state to be kept. */
export const bytesOf = (state: BrowserState): Uint8Array => Buffer.from(JSON.stringify(state))

/** As much of a visit as may be spent on one origin. */
const originMs = 15_000

/**
 * Puts a state into a fresh context, before its first page is shown. Answers the origins of which something could not be stored again: what
 * is known of them is not to be replaced by what is there.
 */
export async function putState(context: BrowserContext, { cookies, origins }: BrowserState, left: () => number): Promise<ReadonlySet<string>> {
  await putCookies(context, cookies as Cookies) // as `takeState` had them of the driver
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
  // One that the browser does not take back would keep all of them out.
  await context.addCookies(fresh).catch(async () => {
    for (const cookie of fresh) await context.addCookies([cookie]).catch(() => undefined)
  })
}

/** Origins of the web that were seen. */
export interface Origins {
  /** Of pages first, then of frames; no more than are looked at. */
  all(): readonly string[]
}

/** A page full of frames of strangers must not make a visit last. */
const maxOrigins = 40

/** Listens from now on to which origins the pages of a context show. */
export function originsIn(context: BrowserContext): Origins {
  const pages = new Set<string>()
  const frames = new Set<string>()
  const note = (frame: Frame): void => {
    const url = urlOf(frame.url())
    if (url !== null && /^https?:$/.test(url.protocol)) (frame.parentFrame() === null ? pages : frames).add(url.origin)
  }
  const watch = (page: Page): void => void page.on('framenavigated', note)
  for (const page of context.pages()) watch(page)
  context.on('page', watch)
  return { all: () => [...new Set([...pages, ...frames])].slice(0, maxOrigins) }
}

/** What a context remembers, and what of it could not be taken. */
export interface TakenState {
  /** Null: it is more than is kept. */
  readonly state: BrowserState | null
  readonly warnings: readonly string[]
}

/** What was there before, and what may have changed. */
export interface Since {
  readonly before: BrowserState
  /** Origins that were shown; of the others what was there before still holds. */
  readonly origins: readonly string[]
  /** Origins of which less was there than is known. */
  readonly failed: ReadonlySet<string>
}

interface Dump {
  readonly localStorage: readonly object[]
  readonly indexedDB: readonly object[]
  readonly lost: number
}

/** Takes what a context remembers: its cookies, and what the origins that were shown have stored. */
export async function takeState(context: BrowserContext, { before, origins, failed }: Since, left: () => number): Promise<TakenState> {
  const cookies = await context.cookies()
  const known = new Map((before.origins as readonly OriginState[]).map((one) => [one.origin, one])) // as written below
  const looked = origins.filter((origin) => !failed.has(origin))
  const warnings: string[] = []
  const page = looked.length === 0 ? null : await blank(context)
  try {
    for (const origin of looked) {
      const dump = await page?.at<Dump | { readonly tooLarge: true }>(origin, takeScript(profileBytes), Math.min(originMs, left())).catch(() => null)
      if (dump === null || dump === undefined) warnings.push(`What ${origin} stored in the browser could not be taken in time; its profile is as it was.`)
      else if ('tooLarge' in dump) return { state: null, warnings: [`The profile was not saved: ${origin} stores more than is kept (${profileBytes / 1024 ** 2} MB).`] }
      else {
        if (dump.lost > 0) warnings.push(`Of what ${origin} stored in IndexedDB ${dump.lost} ${dump.lost === 1 ? 'entry' : 'entries'} cannot be kept.`)
        known.delete(origin)
        if (dump.localStorage.length + dump.indexedDB.length > 0) known.set(origin, { origin, localStorage: dump.localStorage, indexedDB: dump.indexedDB })
      }
    }
  } finally {
    await page?.close()
  }
  if (failed.size > 0) warnings.push('Some of the profile could not be put into the browser; that part of it is as it was.')
  return { state: { cookies, origins: [...known.values()] }, warnings }
}
