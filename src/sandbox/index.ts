import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { ServiceError } from '../domain/errors.ts'
import type { Interpreter, Language, Sandbox, SessionBrowser } from '../domain/sandbox.ts'
import { once } from '../lib/once.ts'
import { processInterpreter } from './interpreter.ts'
import { confined, nodeInmate, pythonInmate, unconfined } from './plans.ts'
import { firstUid, type Ground, probe, type ProbeOptions } from './probe.ts'
import { limits } from './walls.ts'
import { processWatch } from './watch.ts'

/** What the operator decided; `idleCpuMs`: what code may go on doing between its runs, in processor time. */
export interface SandboxOptions extends ProbeOptions {
  readonly idleCpuMs?: number
}

const users = 200
const defaultIdleCpuMs = 20_000

/** Hands out users that nobody else runs as, so that limits and signals of one session do not meet those of another. */
function userBook(): { readonly take: () => number; readonly give: (uid: number) => void } {
  const taken = new Set<number>()
  let last = firstUid
  return {
    take() {
      for (let i = 0; i < users; i++) {
        last = last + 1 >= firstUid + users ? firstUid + 1 : last + 1
        if (!taken.has(last)) break
      }
      taken.add(last)
      return last
    },
    give: (uid) => void taken.delete(uid),
  }
}

const names: Readonly<Record<Language, string>> = { node: 'node', python: 'Python', bash: 'bash' }

/** Runs user code: `bash` commands here, `node` and `python` in processes behind walls, one for each language of each session. */
export function sandbox(options: SandboxOptions): Sandbox<Page> {
  const book = userBook()
  const watch = processWatch({ memoryBytes: limits.memoryBytes, idleCpuMs: options.idleCpuMs ?? defaultIdleCpuMs })
  const open = new Set<Interpreter>()
  let found: Ground | null = null
  const look = once(async () => (found = await probe(options)))

  function behindWalls(language: 'node' | 'python', { site, python }: Ground, browser: SessionBrowser<Page>): Interpreter {
    if (site === null) throw new Error('There are no walls.')
    const uid = book.take()
    const inmate = language === 'node' || python === null ? nodeInmate() : pythonInmate(python)
    return processInterpreter({ plan: () => confined(inmate, { ...site, uid }), watch, release: () => book.give(uid) }, browser)
  }

  async function withoutWalls(language: 'node' | 'python', { python }: Ground, browser: SessionBrowser<Page>): Promise<Interpreter> {
    const scratch = await mkdtemp(join(tmpdir(), 'trawl-code-'))
    return processInterpreter({ plan: () => unconfined(language === 'python' ? python : null, scratch), watch, release: () => void rm(scratch, { recursive: true, force: true }) }, browser)
  }

  async function interpreterFor(language: Language, browser: SessionBrowser<Page>): Promise<Interpreter> {
    if (language === 'bash') return (await import('./commands/interpreter.ts')).commandInterpreter(browser)
    const ground = await look()
    const { level, reason, missing } = ground.levels[language]
    if (missing) throw new ServiceError('FEATURE_NOT_CONFIGURED', `Not configured: ${reason}, so code in ${names[language]} cannot be run.`, { details: { feature: language } })
    if (level === 'off') throw new ServiceError('BROWSER_NOT_CONFIGURED', `Code in ${names[language]} is not run here, as nothing would confine it: ${reason}.`, { details: { feature: language } })
    return level === 'os' ? behindWalls(language, ground, browser) : withoutWalls(language, ground, browser)
  }

  return {
    levels: async () => (await look()).levels,
    known: () => found?.levels ?? null,
    async open(language, browser) {
      const one = await interpreterFor(language, browser)
      const kept: Interpreter = {
        run: (code, terms) => one.run(code, terms),
        async close() {
          open.delete(kept)
          await one.close()
        },
      }
      open.add(kept)
      return kept
    },
    close: async () => void (await Promise.all([...open].map((one) => one.close()))),
  }
}
