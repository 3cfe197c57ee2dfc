import { beforeAll, describe, expect, it } from 'vitest'
import { hostilePages } from '../../test/requirements/hostile-pages.ts'
import { cpuMs, slowness } from '../../test/cpu.ts'
import { borderPages } from '../../test/requirements/border-pages.ts'
import { type PageReading, read } from './reading.ts'

const options = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true, blockAds: true }
/** Processor time that a page may hold the calling thread (R20). */
const maxMs = 50

function reading(html: string): PageReading {
  const url = 'https://site.example/'
  const body = new TextEncoder().encode(html)
  return read({ requestedUrl: url, url, status: 200, headers: [['content-type', 'text/html']], body, engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }, options)
}

/** What the calling thread looks at itself, at most (`compute`). */
const mostCharacters = 256 * 1024
const isSmall = (html: string): boolean => html.length <= mostCharacters && reading(html).isSmall()

/** The time of everything, the decision included. */
function processorMs(html: string): number {
  const page = reading(html)
  return cpuMs(() => {
    page.isSmall()
    for (const view of ['markdown', 'html', 'links', 'images', 'metadata', 'verdict', 'scriptDemand', 'confidence', 'removals', 'warnings'] as const) page[view]()
  })
}

/** The time of a process counts what its compiler does beside, too: a page of a new kind is compiled for during its first visits. */
const mostTries = 4

/** The bound and the best of a few times, each beside the speed of the machine at that moment; undefined when the page holds it. */
function tooSlow(html: string): string | undefined {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < mostTries; i++) {
    const ms = processorMs(html)
    if (ms <= maxMs) return undefined
    best = Math.min(best, ms / slowness())
    if (best <= maxMs) return undefined
  }
  return `${Math.round(best)} ms`
}

function slowOf(pages: readonly (readonly [name: string, html: string])[]): readonly string[] {
  return pages.flatMap(([name, html]) => {
    const time = tooSlow(html)
    return time === undefined ? [] : [`${name} ${time}`]
  })
}

beforeAll(() => {
  // What is judged is the page, not the compiler.
  for (const [, html] of borderPages(isSmall, 40, 1)) processorMs(html)
})

describe('a page that the pre-scan calls small does not hold the thread (R20)', () => {
  it('of the pages made to be hard to read', () => {
    expect(slowOf(Object.entries(hostilePages).map(([name, page]): [string, string] => [name, page()]).filter(([, html]) => isSmall(html)))).toEqual([])
  })

  it('of pages grown from hostile pieces until they are just small enough', { timeout: 120_000 }, () => {
    expect(slowOf(borderPages(isSmall, 90, 20_261_121))).toEqual([])
  })

  it('which a pre-scan that lets everything pass does not survive', { timeout: 60_000 }, () => {
    const anything = (html: string): boolean => html.length <= mostCharacters
    expect(borderPages(anything, 20, 1).some(([, html]) => tooSlow(html) !== undefined)).toBe(true)
  })
})
