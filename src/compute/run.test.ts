import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, onTestFinished } from 'vitest'
import { read } from '../content/reading.ts'
import type { Capture } from '../domain/pages/capture.ts'
import type { DeriveOrder } from '../domain/pages/derivation.ts'
import type { PageReading } from '../content/reading.ts'
import { readDefaults } from '../domain/pages/reading.ts'
import { deriveFrom } from './run.ts'

const html = '<title>T</title><nav><a href="/menu">Menu</a></nav><main><h1>T</h1><p>One sentence that is the content of this page.</p></main><footer>Foot</footer>'
const capture: Capture = {
  url: 'http://a.test/', requestedUrl: 'http://a.test/', status: 200, headers: [['content-type', 'text/html']], body: Buffer.from(html),
  truncated: false, tlsVerified: true, engine: 'http', proxy: 'basic', at: 0,
}
const order: DeriveOrder = {
  formats: [{ type: 'markdown' }], parsers: [], explain: false,
  read: readDefaults,
}

/** A reading that records when the main content was needed. */
function counting(): { reading: PageReading; asked: string[] } {
  const reading = read(capture, order.read)
  const asked: string[] = []
  const noted = <T>(name: string, view: () => T) => () => (asked.push(name), view())
  return { reading: { ...reading, confidence: noted('confidence', reading.confidence), removals: noted('removals', reading.removals) }, asked }
}

describe('deriving formats', () => {
  it('does not determine the main content for formats of the whole page', () => {
    const { reading, asked } = counting()
    const derivation = deriveFrom(reading, { ...order, formats: [{ type: 'links' }, { type: 'rawHtml' }] })
    expect(derivation).toMatchObject({ fields: { links: ['http://a.test/menu'], rawHtml: html }, confidence: null, removals: [] })
    expect(asked).toEqual([])
  })

  it.each(['markdown', 'html'] as const)('reports its confidence for %s', (type) => {
    const { reading, asked } = counting()
    const derivation = deriveFrom(reading, { ...order, formats: [{ type }] })
    expect(derivation.confidence).toBe(reading.confidence())
    expect(derivation.removals).toEqual([])
    expect(asked.filter((name) => name === 'removals')).toEqual([])
  })

  it('lists removals if an explanation is requested', () => {
    const { reading } = counting()
    const derivation = deriveFrom(reading, { ...order, explain: true })
    expect(derivation.removals).toEqual(reading.removals())
    expect(derivation.removals.length).toBeGreaterThan(0)
  })
})

it('retains no memory of the pages that it has read, except caches', () => {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  const held = (): number => (typeof collect === 'function' && collect(), process.memoryUsage().heapUsed)
  const filler = 'tide gauge '.repeat(20_000)
  const derive = (i: number): void => {
    const name = `unheard-of-name-number-${i}`
    const page = `<title>T</title><div class="${name}" id="id-${name}"><a href="http://[${name}">x</a><p>unheardofwordnumber${i} ${filler}</p></div>`
    deriveFrom(read({ ...capture, body: Buffer.from(page) }, order.read), { ...order, formats: [{ type: 'markdown' }, { type: 'html' }], index: true, discover: true })
  }
  for (let i = 0; i < 3; i++) derive(i)
  const before = held()
  for (let i = 3; i < 33; i++) derive(i)
  // The sources of these pages take 6 MB.
  expect(held() - before).toBeLessThan(1_500_000)
})

it('frees a page in a collection of the young generation', () => {
  setFlagsFromString('--expose-gc')
  // With a small young generation, V8 sees many objects survive and then allocates new ones directly in the old
  // generation.
  setFlagsFromString('--no-allocation-site-pretenuring')
  onTestFinished(() => setFlagsFromString('--allocation-site-pretenuring'))
  const collect: unknown = runInNewContext('gc')
  const collected = (type: 'minor' | 'major'): void => {
    if (typeof collect === 'function') collect({ type })
  }
  // The trees of these pages, about 300 KB each, are far larger than what reading leaves behind.
  const body = Buffer.from(`<title>T</title><main>${'<p>The <b>gauge</b> at the pier counts <a href="/w">every wave</a> of the day and the night.</p>'.repeat(250)}</main>`)
  const readSome = (count: number): void => {
    for (let i = 0; i < count; i++) {
      deriveFrom(read({ ...capture, body }, order.read), { ...order, formats: [{ type: 'markdown' }], discover: true })
      collected('minor')
    }
  }
  readSome(10)
  collected('major')
  const before = process.memoryUsage().heapUsed
  readSome(20)
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(2_000_000)
})
