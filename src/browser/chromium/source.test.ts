import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { source } from './source.ts'

it('looks for a Chromium again a minute after the one that there is did not start', async () => {
  // From the beginning: it would start at zero, before the first search.
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const folder = mkdtempSync(join(tmpdir(), 'trawl-source-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'chromium')
  const program = (text: string): void => writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  const from = source({ find: { path, cdpUrl: null, searchPath: [], cacheDir: folder, home: folder }, tunnel: { host: '127.0.0.1', port: 1 } as Parameters<typeof source>[0]['tunnel'], say: () => undefined, parent: folder }) // nothing is sent
  program('exit 1')
  await expect(from.launch()).rejects.toMatchObject({ code: 'BROWSER_NOT_CONFIGURED' })
  program('[ "$1" = --version ] && echo 1.2.3.4 || exit 1')
  await expect(from.launch()).rejects.toMatchObject({ code: 'BROWSER_NOT_CONFIGURED' })
  vi.advanceTimersByTime(120_000)
  // It is found now, and goes no further than that.
  await expect(from.launch()).rejects.toMatchObject({ code: 'SCRAPE_ALL_ENGINES_FAILED' })
})
