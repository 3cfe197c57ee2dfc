import type { ChildProcess } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Call } from '../domain/call.ts'
import type { ExtractionWish, MediaExtractor } from '../domain/pages/media.ts'
import { timeLeft, within } from '../lib/deadline.ts'
import { fairTurns } from '../lib/fair-turns.ts'
import { outputOf } from '../machine/output-of.ts'
import { isProgram, systemProgram } from '../machine/programs.ts'
import { type OwnEndpoints, type Routes, tunnel } from '../net/index.ts'
import { mediaIn } from './answer.ts'

/** A program to start, and what it may read and reach. */
export interface ConnectedStart {
  readonly path: string
  readonly args: readonly string[]
  readonly reads: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly out: { readonly path: string; readonly username: string; readonly password: string }
}

export interface ExtractorParts {
  /** Path of the program. */
  readonly program: string
  /** Starts it confined, with that socket file as its only way out; null when this machine cannot confine programs. */
  readonly start: (program: ConnectedStart) => Promise<ChildProcess | null>
  readonly ways: Pick<Routes, 'egressFor'>
  readonly own: OwnEndpoints
  readonly now: () => number
  /** Larger files are not wanted, in bytes. */
  readonly maxBytes: number
}

/** The path of the extractor for a setting; `auto` looks for yt-dlp. Null when there is none. */
export function findExtractor(setting: string): string | null {
  if (setting === 'off') return null
  if (setting === 'auto') return systemProgram('yt-dlp')
  return isProgram(setting) ? setting : null
}

const atOnce = 2
const maxMs = 45_000
/** Limit of the output, in bytes: it is parsed on the main thread. */
const maxOutput = 4 * 1024 * 1024
/** Milliseconds of the caller's time that are reserved for fetching what was found. */
const fetchMs = 3_000
/** Files that it may read: certificates, and what Python needs. */
const reads = ['/etc/ssl', '/usr/share/ca-certificates', '/etc/pki', '/usr/share/python3', '/etc/mime.types']
const pythons = '/usr/local/lib'
const installed = async (): Promise<readonly string[]> => (await readdir(pythons).catch(() => [])).filter((name) => name.startsWith('python3')).map((name) => join(pythons, name))
const env = { PYTHONDONTWRITEBYTECODE: '1' }

const argsFor = ({ url, skipTlsVerification }: ExtractionWish): readonly string[] => [
  '--ignore-config', '--no-cache-dir', '--no-warnings', '--no-playlist', '--playlist-items', '1', '--socket-timeout', '15', '--retries', '1', '--extractor-retries', '1',
  ...(skipTlsVerification ? ['--no-check-certificates'] : []), '--dump-single-json', '--', url,
]

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Asks the program where media is; the service fetches what it finds, like everything else. */
export function mediaExtractor({ program, start, ways, own, now, maxBytes }: ExtractorParts): MediaExtractor {
  const inTurn = fairTurns(atOnce)

  async function asked(wish: ExtractionWish, signal: AbortSignal, team: string): Promise<string | null | 'no walls'> {
    const folder = await mkdtemp(join(tmpdir(), 'trawl-way-'))
    try {
      const path = join(folder, 'out')
      const way = await tunnel(ways.egressFor({ tier: wish.tier, country: wish.country, team, host: new URL(wish.url).hostname }), own, path)
      try {
        const child = await start({ path: program, args: argsFor(wish), reads: [...reads, ...(await installed())], env, out: { path, username: way.username, password: way.password } })
        return child === null ? 'no walls' : ((await outputOf(child, maxOutput, signal))?.toString('utf8') ?? null)
      } finally {
        await way.close()
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  return {
    async find(wish, call: Call) {
      const signal = within(call, Math.min(maxMs, timeLeft(call, now()) - fetchMs))
      try {
        const text = await inTurn({ ...call, signal }, () => asked(wish, signal, call.team))
        call.signal.throwIfAborted()
        if (text === 'no walls') return { why: 'the media extractor is not run, as nothing would confine it here (bubblewrap)' }
        if (text === null) return { why: signal.aborted ? 'the media extractor did not find it in time' : 'the media extractor does not know how to get it' }
        const found = mediaIn(parsed(text), wish.kind, maxBytes)
        return found.length > 0 ? found : { why: `the media extractor found no ${wish.kind} that can be fetched` }
      } catch (error) {
        call.signal.throwIfAborted()
        if (signal.aborted) return { why: 'the media extractor did not find it in time' }
        throw error
      }
    },
  }
}
