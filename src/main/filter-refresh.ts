import { rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Call, LogFields } from '../domain/call.ts'
import type { Engine } from '../domain/pages/capture.ts'
import { makeFolder } from '../store/index.ts'

/** The sources of the lists: file name and address. */
export const listSources: Readonly<Record<string, string>> = {
  'easylist.txt': 'https://easylist.to/easylist/easylist.txt',
  'easyprivacy.txt': 'https://easylist.to/easylist/easyprivacy.txt',
}

const weekMs = 7 * 86_400_000
const limitMs = 60_000
// Several times the length of the longest list.
const maxBytes = 16 * 1024 ** 2

export interface RefreshOptions {
  readonly sources: Readonly<Record<string, string>>
  /** Lists are put into its subfolder `lists`, where the next start finds them. */
  readonly folder: string
  readonly engine: Engine
  readonly now: () => number
  readonly log: (event: string, fields?: LogFields) => void
}

/** The complete list at an address; null when it could not be fetched. */
async function fetched(url: string, { engine, now, log }: RefreshOptions): Promise<Uint8Array | null> {
  const call: Call = { id: 'filter-lists', team: 'filter-lists', signal: AbortSignal.timeout(limitMs), deadline: now() + limitMs, retention: 'normal', log }
  const verdict = await engine.fetch({ url, headers: {}, languages: ['en'], skipTlsVerification: false }, call)
  return verdict.kind === 'captured' && verdict.capture.status === 200 && !verdict.capture.truncated ? verdict.capture.body : null
}

/**
 * Whether a body is a list, and not the page of a captive portal, garbage or a partial file: lists do not shrink by half in
 * a week.
 */
function isList(body: Uint8Array, formerBytes: number): boolean {
  return Buffer.from(body.subarray(0, 64)).toString().startsWith('[Adblock') && !body.includes(0) && body.length <= maxBytes && body.length * 2 >= formerBytes
}

/**
 * Fetches lists that are missing or a week old, through the egress guard like any page. Never throws: without a network the
 * old ones stay in use.
 */
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
      await makeFolder(folder, 0o700)
      await writeFile(`${path}.new`, text, { mode: 0o600 })
      await rename(`${path}.new`, path)
      options.log('filter-list-refreshed', { name, bytes: text.length })
    } catch (error) {
      options.log('filter-list-not-refreshed', { name, reason: error instanceof Error && 'code' in error ? String(error.code) : 'error' })
    }
  }
}
