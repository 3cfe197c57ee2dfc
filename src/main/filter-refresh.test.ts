import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Engine } from '../domain/pages/capture.ts'
import { ServiceError } from '../domain/errors.ts'
import { refreshLists } from './filter-refresh.ts'

let folder: string
let asked: string[]
let events: string[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trawl-lists-'))
  asked = []
  events = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Answers every address with this text, or fails without one. */
function engine(text: string | null, status = 200): Engine {
  return {
    name: 'http',
    can: new Set(),
    cost: 1,
    async fetch({ url }) {
      asked.push(url)
      if (text === null) throw new ServiceError('SCRAPE_DNS_RESOLUTION_ERROR')
      return { kind: 'captured', capture: { requestedUrl: url, url, status, headers: [], body: Buffer.from(text), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 } }
    },
  }
}

const refresh = (from: Engine): Promise<void> =>
  refreshLists({ sources: { 'a.txt': 'https://lists.example/a' }, folder, engine: from, now: Date.now, log: (event) => void events.push(event) })
const listPath = (): string => join(folder, 'lists', 'a.txt')

it('a missing list is fetched, and a fresh one left alone', async () => {
  await refresh(engine('[Adblock Plus 2.0]\n||ads.example^\n'))
  expect(readFileSync(listPath(), 'utf8')).toContain('||ads.example^')
  await refresh(engine('[Adblock Plus 2.0]\nnewer\n'))
  expect([asked.length, events]).toEqual([1, ['filter-list-refreshed']])
})

it('a list is fetched again after a week', async () => {
  await refresh(engine('[Adblock Plus 2.0]\nold\n'))
  const old = new Date(Date.now() - 8 * 86_400_000)
  utimesSync(listPath(), old, old)
  await refresh(engine('[Adblock Plus 2.0]\nnew\n'))
  expect(readFileSync(listPath(), 'utf8')).toContain('new')
})

it.each([
  ['one of less than half its size', '[Adblock Plus 2.0]\nshort'],
  ['one with bytes that no list has', `[Adblock Plus 2.0]\n${'||new.example^\n'.repeat(9)}\0`],
])('a list is not replaced by %s', async (_, fresh) => {
  const long = `[Adblock Plus 2.0]\n${'||old.example^\n'.repeat(9)}`
  await refresh(engine(long))
  const old = new Date(Date.now() - 8 * 86_400_000)
  utimesSync(listPath(), old, old)
  await refresh(engine(fresh))
  expect([readFileSync(listPath(), 'utf8'), events]).toEqual([long, ['filter-list-refreshed', 'filter-list-refused']])
})

const faults = [
  ['the page of a captive portal', engine('<html>Please log in</html>'.padEnd(200)), 'filter-list-refused'],
  ['an error page', engine('[Adblock]'.padEnd(200), 503), 'filter-list-refused'],
  ['no network', engine(null), 'filter-list-not-refreshed'],
] as const // `const`: rows with three parts

it.each(faults)('there is no list after %s', async (_name, bad, event) => {
  await refresh(bad)
  expect([readdirSync(folder), events]).toEqual([[], [event]])
})

it.each(faults)('the current list is kept after %s', async (_name, bad, event) => {
  const current = '[Adblock Plus 2.0]\n||old.example^\n'
  await refresh(engine(current))
  const old = new Date(Date.now() - 8 * 86_400_000)
  utimesSync(listPath(), old, old)
  await refresh(bad)
  expect([readFileSync(listPath(), 'utf8'), readdirSync(join(folder, 'lists')), events]).toEqual([current, ['a.txt'], ['filter-list-refreshed', event]])
})
