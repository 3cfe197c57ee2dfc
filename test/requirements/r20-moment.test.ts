import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { read } from '../../src/content/reading.ts'
import { readDefaults } from '../../src/domain/pages/reading.ts'
import { once } from '../../src/lib/once.ts'
import { slowness } from '../cpu.ts'
import { borderPages } from './border-pages.ts'
import { hostilePages } from './hostile-pages.ts'

type Named = readonly [name: string, html: string]

/** The CPU time that a page may hold the calling thread, in milliseconds. */
const maxMs = 50
/** The longest page that the calling thread reads itself (`compute`). */
const mostCharacters = 256 * 1024

const isShort = (html: string): boolean => html.length <= mostCharacters

function isSmall(html: string): boolean {
  const url = 'https://site.example/'
  const body = new TextEncoder().encode(html)
  return isShort(html) && read({ requestedUrl: url, url, status: 200, headers: [['content-type', 'text/html']], body, engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }, readDefaults).isSmall()
}

/** The CPU time that each page takes in a process that reads as the service does, in milliseconds. */
async function timesOf(pages: readonly Named[]): Promise<readonly number[]> {
  const printed = await new Promise<string>((resolve, reject) => {
    const reader = execFile(process.execPath, [fileURLToPath(new URL('r20-reader.mjs', import.meta.url)), String(maxMs)], (error, stdout) => (error === null ? resolve(stdout) : reject(error)))
    reader.stdin?.end(JSON.stringify(pages.map(([, html]) => html)))
  })
  return JSON.parse(printed) as readonly number[]
}

/** Pages that are read first, so that the code is compiled before the measurement. */
const seenBefore = once(() => borderPages(isSmall, 40, 1))

/**
 * The pages that held the thread too long, with a message for each. The bound is adapted to the speed of the machine at
 * the moment.
 */
async function slowNow(pages: readonly Named[]): Promise<readonly (readonly [page: Named, finding: string])[]> {
  const first = seenBefore()
  const times = (await timesOf([...first, ...pages])).slice(first.length)
  expect(times).toHaveLength(pages.length)
  const most = maxMs * slowness()
  return pages.flatMap((page, i) => ((times[i] ?? 0) <= most ? [] : [[page, `${page[0]} ${Math.round(times[i] ?? 0)} ms of ${Math.round(most)}`]]))
}

/**
 * The messages for the pages that hold the thread too long in three runs: a shared machine may be half as fast for a
 * second or two.
 */
async function slowOf(pages: readonly Named[]): Promise<readonly string[]> {
  let slow = await slowNow(pages)
  for (let again = 0; again < 2 && slow.length > 0; again++) slow = await slowNow(slow.map(([page]) => page))
  return slow.map(([, finding]) => finding)
}

describe('R20 a page that the pre-scan calls small does not hold the thread', () => {
  it('if it was made to be hard to read', { timeout: 60_000 }, async () => {
    const pages = Object.entries(hostilePages).map(([name, page]): Named => [name, page()])
    expect(await slowOf(pages.filter(([, html]) => isSmall(html)))).toEqual([])
  })

  it('if it repeats hostile pieces until it is just small enough', { timeout: 120_000 }, async () => {
    expect(await slowOf(borderPages(isSmall, 180, 20_261_121))).toEqual([])
  })

  it('which fails for a pre-scan that lets everything pass', { timeout: 60_000 }, async () => {
    // A single page that takes ten times as long: more pages or more rounds would each be read a dozen times and show
    // the same.
    expect(await slowNow(borderPages(isShort, 1, 1))).toHaveLength(1)
  })
})
