import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { ServiceError } from '../domain/errors.ts'
import type { Interpreter, Language, PageReader, Sandbox, SessionBrowser } from '../domain/sessions/sandbox.ts'
import { once } from '../lib/once.ts'
import { userBook } from '../lib/user-book.ts'
import { type Cell, cell } from './cell.ts'
import { processInterpreter } from './interpreter.ts'
import { confined, nodeInmate, pythonInmate, unconfined } from './plans.ts'
import { firstUid, type Ground, probe, type ProbeOptions } from './probe.ts'
import { type Spares, spares } from './spare.ts'
import { limits } from './walls.ts'
import { processWatch } from './watch.ts'

export { type ConnectedProgram, type Program, programWalls, type StartConnected, type StartProgram } from './programs.ts'

/**
 * The operator's decisions. `idleCpuMs`: processor time that code may use between its runs. `hasRoom`: whether there is
 * memory for a spare process. `read`: what the command `scrape` reads pages with; without it, there is no such command.
 */
export interface SandboxOptions extends ProbeOptions {
  readonly idleCpuMs?: number
  readonly hasRoom?: () => boolean
  readonly read?: PageReader
}

/** The languages that run in processes. */
type Code = Exclude<Language, 'bash'>

/** Nobody else runs as the user of a session, so that limits and signals of sessions do not affect each other; the first is for trials. */
const users = Array.from({ length: 199 }, (_, i) => firstUid + 1 + i)
const defaultIdleCpuMs = 20_000
/** How long the next interpreter is kept ready. */
const spareMs = 60_000

const names: Readonly<Record<Language, string>> = { node: 'node', python: 'Python', bash: 'bash' }

/**
 * Runs user code: `bash` commands in this process, `node` and `python` in confined processes, one for each language of each
 * session.
 */
export function sandbox(options: SandboxOptions): Sandbox<Page> {
  const book = userBook(users)
  const watch = processWatch({ ...limits, idleCpuMs: options.idleCpuMs ?? defaultIdleCpuMs })
  const open = new Set<Interpreter>()
  let found: Ground | null = null
  const look = once(async () => (found = await probe(options)))

  function behindWalls(language: Code, { site, python }: Ground): Cell {
    if (site === null) throw new Error('There are no walls.')
    const uid = book.take()
    const inmate = language === 'node' || python === null ? nodeInmate() : pythonInmate(python)
    try {
      const one = cell(confined(inmate, { ...site, uid }), watch)
      void one.ended.then(() => book.give(uid))
      return one
    } catch (error) {
      book.give(uid)
      throw error
    }
  }

  function withoutWalls(language: Code, { python }: Ground): Cell {
    const scratch = mkdtempSync(join(tmpdir(), 'trawl-code-'))
    const one = cell(unconfined(language === 'python' ? python : null, scratch), watch)
    void one.ended.then(() => rm(scratch, { recursive: true, force: true }))
    return one
  }

  const startIn = (language: Code, ground: Ground): Cell => (ground.levels[language].level === 'os' ? behindWalls(language, ground) : withoutWalls(language, ground))
  // Only for `node`: Python starts in a fifth of the time that Node and its driver take.
  let kept: Spares | null = null
  const ready = (ground: Ground): Spares => (kept ??= spares(() => startIn('node', ground), { keepMs: spareMs, mayStart: options.hasRoom ?? (() => true) }))

  async function interpreterFor(language: Language, browser: SessionBrowser<Page>): Promise<Interpreter> {
    if (language === 'bash') return (await import('./commands/interpreter.ts')).commandInterpreter(browser, options.read)
    const ground = await look()
    const { level, reason, missing } = ground.levels[language]
    if (missing) throw new ServiceError('FEATURE_NOT_CONFIGURED', `Not configured: ${reason}, so code in ${names[language]} cannot be run.`, { details: { feature: language } })
    if (level === 'off') throw new ServiceError('BROWSER_NOT_CONFIGURED', `Code in ${names[language]} is not run here, as nothing would confine it: ${reason}.`, { details: { feature: language } })
    if (level === 'interpreter') return (await import('./small.ts')).smallInterpreter(browser)
    return processInterpreter(language === 'node' ? () => ready(ground).take() : () => startIn(language, ground), browser)
  }

  return {
    levels: async () => (await look()).levels,
    known: () => found?.levels ?? null,
    async warm(language) {
      if (language !== 'node') return
      const ground = await look()
      if (ground.levels.node.level === 'os' || ground.levels.node.level === 'trusted') ready(ground).make()
    },
    async open(language, browser) {
      const one = await interpreterFor(language, browser)
      const opened: Interpreter = {
        run: (code, terms) => one.run(code, terms),
        async close() {
          open.delete(opened)
          await one.close()
        },
      }
      open.add(opened)
      return opened
    },
    async close() {
      await Promise.all([...open].map((one) => one.close()))
      await kept?.end()
    },
  }
}
