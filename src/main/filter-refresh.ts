import { mkdir, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Call, LogFields } from '../domain/call.ts'
import type { Engine } from '../domain/capture.ts'

/** Where the lists come from: file name and address. */
export const listSources: Readonly<Record<string, string>> = {
  'easylist.txt': 'https://easylist.to/easylist/easylist.txt',
  'easyprivacy.txt': 'https://easylist.to/easylist/easyprivacy.txt',
}

const weekMs = 7 * 86_400_000
const limitMs = 60_000
// Several times the longest that there is.
const maxBytes = 16 * 1024 ** 2

export interface RefreshOptions {
  readonly sources: Readonly<Record<string, string>>
  /** Lists are put into its folder `lists`, where the next start finds them. */
  readonly folder: string
  readonly engine: Engine
  readonly now: () => number
  readonly log: (event: string, fields?: LogFields) => void
}

/** What came from the address of a list, whole; null when it did not. */
async function fetched(url: string, { engine, now, log }: RefreshOptions): Promise<Uint8Array | null> {
  const call: Call = { id: 'filter-lists', team: 'filter-lists', signal: AbortSignal.timeout(limitMs), deadline: now() + limitMs, retention: 'normal', log }
  const verdict = await engine.fetch({ url, headers: {}, languages: ['en'], skipTlsVerification: false }, call)
  return verdict.kind === 'captured' && verdict.capture.status === 200 && !verdict.capture.truncated ? verdict.capture.body : null
}

/** Whether this is a list, and no page of a captive portal, no noise and no remainder: lists do not shrink by half in a week. */
function isList(body: Uint8Array, formerBytes: number): boolean {
  return Buffer.from(body.subarray(0, 64)).toString().startsWith('[Adblock') && !body.includes(0) && body.length <= maxBytes && body.length * 2 >= formerBytes
}

/** Brings lists that are missing or a week old, through the egress guard like any page. Never throws: without a network the old ones go on. */
export async function refreshLists(options: RefreshOptions): Promise<void> {
  const folder = join(options.folder, 'lists')
  for (const [name, url] of Object.entries(options.sources)) {
    const path = join(folder, name)
    try {
      const former = await stat(path).catch(() => null)
      if (former !== null && options.now() - former.mtimeMs < weekMs) continue
      const text = await fetched(url, options)
      if (text === null || !isList(text, former?.size ?? 0)) {
        options.log('filter-list-refused', { name })
        continue
      }
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(`${path}.new`, text, { mode: 0o600 })
      await rename(`${path}.new`, path)
      options.log('filter-list-refreshed', { name, bytes: text.length })
    } catch (error) {
      options.log('filter-list-not-refreshed', { name, reason: error instanceof Error && 'code' in error ? String(error.code) : 'error' })
    }
  }
}
