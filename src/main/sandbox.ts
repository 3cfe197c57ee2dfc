import { resolve } from 'node:path'
import type { Page } from 'playwright-core'
import type { Sandbox } from '../domain/sandbox.ts'
import { once } from '../lib/once.ts'
import { type Config, environment } from './config.ts'

/** Where user code runs, as the settings say; nothing of it is loaded before the first code comes. */
export function sandboxOf(config: Config): Sandbox<Page> {
  let made: Sandbox<Page> | null = null
  const ready = once(async () => {
    const { sandbox } = await import('../sandbox/index.ts')
    const { PATH = '' } = environment()
    return (made = sandbox({ unsafe: config.TRAWL_UNSAFE_CODE_EXECUTION === 'on', hidden: [resolve(config.TRAWL_DATA_DIR)], searchPath: PATH.split(':').filter((folder) => folder !== '') }))
  })
  return {
    levels: async () => (await ready()).levels(),
    known: () => made?.known() ?? null,
    open: async (language, browser) => (await ready()).open(language, browser),
    close: async () => made?.close(),
  }
}
