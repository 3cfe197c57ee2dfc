import { resolve } from 'node:path'
import type { Page } from 'playwright-core'
import type { Compute } from '../../domain/pages/derivation.ts'
import { readDefaults } from '../../domain/pages/reading.ts'
import type { PageReader, Sandbox } from '../../domain/sessions/sandbox.ts'
import type { Store } from '../../domain/store.ts'
import type { Log } from '../../http/ports.ts'
import { once } from '../../lib/once.ts'
import { languages } from '../../spec/interact.ts'
import type { programWalls } from '../../sandbox/index.ts'
import { findOcrPrograms, type OcrPrograms } from '../../parsers/index.ts'
import { systemClock } from '../clock.ts'
import { type Config, ConfigError, searchPath } from '../settings/config.ts'

/** Share of the machine's memory in use above which nothing is started in advance. */
const mostLoad = 0.8

/** Reads pages of sessions as a scrape reads them, with the options that it has by default. */
export function pageReader(compute: Compute): PageReader {
  return async ({ url, html, cut = false }, { timeoutMs, signal }) => {
    const at = systemClock.now()
    const capture = { requestedUrl: url, url, status: 200, headers: [['content-type', 'text/html; charset=utf-8']], body: Buffer.from(html), engine: 'browser', proxy: 'basic', tlsVerified: true, truncated: cut, at } as const
    const page = await compute.derive(capture, { formats: [{ type: 'markdown' }], read: readDefaults, parsers: [], explain: false }, { id: 'session', team: 'session', signal, deadline: at + timeoutMs, retention: 'zero', log: () => undefined })
    return page.fields().markdown ?? ''
  }
}

/**
 * Runs user code, as configured; nothing of it is loaded before the first code arrives. `read` makes markdown of the pages of
 * sessions.
 */
export function sandboxOf(config: Config, read?: PageReader): Sandbox<Page> {
  let made: Sandbox<Page> | null = null
  let memory: { load(): number } | null = null
  const ready = once(async () => {
    const { sandbox } = await import('../../sandbox/index.ts')
    return (made = sandbox({ unsafe: config.TRAWL_UNSAFE_CODE_EXECUTION === 'on', hasRoom: () => memory !== null && memory.load() < mostLoad, hidden: [resolve(config.TRAWL_DATA_DIR)], searchPath: searchPath(), ...(read === undefined ? {} : { read }) }))
  })
  // Where there are sessions, the browser's folder is loaded already.
  const inUse = async (): Promise<Sandbox<Page>> => {
    memory ??= (await import('../../browser/index.ts')).gauges
    return ready()
  }
  return {
    levels: async () => (await ready()).levels(),
    known: () => made?.known() ?? null,
    warm: async (language) => (await inUse()).warm(language),
    open: async (language, browser) => (await inUse()).open(language, browser),
    close: async () => made?.close(),
  }
}

/** Confinement for programs of the machine; nothing of it is loaded before the first program starts. */
export const wallsOf = ({ TRAWL_DATA_DIR }: Pick<Config, 'TRAWL_DATA_DIR'>): (() => Promise<ReturnType<typeof programWalls>>) => once(async () => (await import('../../sandbox/index.ts')).programWalls([resolve(TRAWL_DATA_DIR)]))

/** The programs for text recognition, if enabled, confined like user code where this machine can do that. */
export function ocrOf({ TRAWL_OCR, TRAWL_OCR_LANGUAGES, TRAWL_DATA_DIR }: Config): OcrPrograms | null {
  const programs = TRAWL_OCR === 'off' ? null : findOcrPrograms(TRAWL_OCR_LANGUAGES)
  const walls = wallsOf({ TRAWL_DATA_DIR })
  return programs && { ...programs, start: async (program) => (await walls()).start(program) }
}

// Do not delay the start itself.
const lookAfterMs = 2_500

/**
 * At each start: refuses unconfined code when there is more than one team, and determines soon after how code is confined,
 * for the log and `/health`. Throws `ConfigError`.
 */
export async function overseeCode(sandbox: Sandbox<Page>, { config, store, log }: { readonly config: Config; readonly store: Store; readonly log: Log }): Promise<void> {
  if (config.TRAWL_UNSAFE_CODE_EXECUTION === 'on') {
    if ((await store.accounts.teams()).length > 1) throw new ConfigError('TRAWL_UNSAFE_CODE_EXECUTION=on is allowed only where there is one team.')
    log('warn', 'code-unconfined', { setting: 'TRAWL_UNSAFE_CODE_EXECUTION', what: 'code of sessions runs without walls where this machine cannot build any' })
  }
  setTimeout(async () => {
    const levels = await sandbox.levels()
    log('info', 'code-levels', Object.fromEntries(languages.map((language) => [language, levels[language].level])))
  }, lookAfterMs).unref()
}
