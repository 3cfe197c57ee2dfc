import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import type { Call } from '../domain/call.ts'
import type { Capture } from '../domain/pages/capture.ts'
import type { DeriveOrder, Packed } from '../domain/pages/derivation.ts'
import { ServiceError } from '../domain/errors.ts'
import { stood } from '../../test/stood.ts'
import { readDefaults } from '../domain/pages/reading.ts'
import { ScrapeRequest } from '../spec/scrape.ts'
import { type ComputeOptions, compute } from './index.ts'
import { busyMeter } from './busy.ts'
import { type Pool, pool } from './pool.ts'

/** A worker whose page tells it what to do: `loop`, `grow`, `die`, `mark` itself, or return its text. */
const script = `
import { parentPort } from 'node:worker_threads'
parentPort.postMessage({ ready: true })
parentPort.on('message', ({ capture }) => {
  const text = Buffer.from(capture.body).toString()
  if (text === 'loop') for (;;);
  if (text === 'grow') { const all = []; for (;;) all.push(new Array(100000).fill(Math.random())) }
  if (text === 'die') process.exit(3)
  if (text === 'mark') capture.body[0] = 33
  if (text === 'fault') parentPort.postMessage({ fault: 'broken reader' })
  else parentPort.postMessage({ packed: Buffer.from('{}\\n' + JSON.stringify({ markdown: text })) })
})`
const entry = new URL(`data:text/javascript,${encodeURIComponent(script)}`)
const built = new URL('../../dist/compute/worker.js', import.meta.url)

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
})

function startPool(options: Partial<ComputeOptions> = {}): Pool {
  const made = pool({ entry, threads: 1, helpers: 1, maxMs: 3_000, maxHeapMb: 32, idleMs: 1000, ...options })
  open.push(made)
  return made
}

const order: DeriveOrder = { formats: [{ type: 'markdown' }], parsers: [], explain: false, read: readDefaults }

function capture(text: string): Capture {
  return { requestedUrl: 'http://a.example/', url: 'http://a.example/', status: 200, headers: [['content-type', 'text/html; charset=utf-8']], body: Buffer.from(text), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }
}

function call(signal = new AbortController().signal): Call {
  return { id: 'c', team: 't', signal, deadline: Date.now() + 60_000, retention: 'normal', log: () => undefined }
}

/** Makes sure that a thread has started. */
const warm = (reader: ReturnType<typeof compute>): Promise<unknown> => reader.derive(capture(' '.repeat(300_000)), order, call())

const run = (target: Pool, text: string, signal?: AbortSignal): Promise<Packed> => target.run({ capture: capture(text), order }, call(signal))

describe('the pool of threads', () => {
  it('aborts a thread that takes too long, and serves the next page', async () => {
    const threads = startPool()
    const slow = run(threads, 'loop')
    const next = run(threads, 'next')
    await expect(slow).rejects.toMatchObject({ code: 'SCRAPE_TIMEOUT' })
    expect((await next).fields().markdown).toBe('next')
  })

  it('survives a thread that runs out of memory or dies', async () => {
    const threads = startPool({ maxMs: 10_000 })
    await expect(run(threads, 'grow')).rejects.toMatchObject({ code: 'SCRAPE_SITE_ERROR' })
    await expect(run(threads, 'die')).rejects.toMatchObject({ code: 'SCRAPE_SITE_ERROR' })
    expect((await run(threads, 'next')).fields().markdown).toBe('next')
  })

  it.each(['run', 'help'] as const)('survives a page that cannot be sent to a thread (%s), which fails alone', async (way) => {
    const threads = startPool({ maxMs: 10_000 })
    await threads.help({ capture: capture('thread is there'), order }, call())
    const unsendable = { ...capture('page'), headers: [[() => 'a function', '']] as unknown as Capture['headers'] } // what no message can hold
    const before = way === 'help' ? [threads.help({ capture: capture('before'), order }, call())] : []
    await expect(threads[way]({ capture: unsendable, order }, call())).rejects.toThrow('could not be cloned')
    expect((await run(threads, 'next')).fields().markdown).toBe('next')
    expect((await Promise.all(before)).map((packed) => packed.fields().markdown)).toEqual(before.map(() => 'before'))
  })

  it('reports a broken reader as an internal error', async () => {
    await expect(run(startPool({ maxMs: 10_000 }), 'fault')).rejects.toThrow('broken reader')
  })

  it('pauses the clock of a page that waits for a thread', async () => {
    const threads = startPool({ maxMs: 10_000 })
    await run(threads, 'thread is there')
    const { said, clock } = stood()
    const hold = new AbortController()
    const gone = new AbortController()
    const pages = (['loop', 'next', 'gone'] as const).map((text, i) => threads.run({ capture: capture(text), order }, { ...call([hold.signal, undefined, gone.signal][i]), clock }).catch(() => undefined)) // what the pages do
    expect(said.splice(0)).toEqual(['stands', 'goes on', 'stands', 'stands'])
    gone.abort(new Error('left'))
    expect(said.splice(0)).toEqual(['goes on'])
    hold.abort(new Error('enough'))
    await Promise.all(pages)
    expect(said).toEqual(['goes on'])
  })

  it('aborts at once when the caller leaves, even in the queue, and does not read what is left while the thread loads', async () => {
    const threads = startPool({ maxMs: 60_000 })
    const controller = new AbortController()
    const running = run(threads, 'loop', controller.signal)
    const queued = run(threads, 'queued', controller.signal)
    controller.abort(new ServiceError('SCRAPE_TIMEOUT'))
    await expect(running).rejects.toMatchObject({ code: 'SCRAPE_TIMEOUT' })
    await expect(queued).rejects.toMatchObject({ code: 'SCRAPE_TIMEOUT' })
    expect((await run(threads, 'next')).fields().markdown).toBe('next')
  })

  it('lets teams take turns, serves clients before jobs, and forgets a page whose caller has left', async () => {
    const threads = startPool({ maxMs: 10_000 })
    const controller = new AbortController()
    const hold = run(threads, 'loop', controller.signal)
    const done: string[] = []
    const asked = (text: string, terms: Partial<Call>): Promise<unknown> =>
      threads.run({ capture: capture(text), order }, { ...call(), ...terms }).then(() => done.push(text), () => done.push(`${text} gone`))
    const gone = new AbortController()
    const all = [asked('of a job', { team: 'a', background: true }), asked('a1', { team: 'a' }), asked('a2', { team: 'a', signal: gone.signal }), asked('a3', { team: 'a' }), asked('b1', { team: 'b' })]
    gone.abort(new Error('gone'))
    await expect.poll(() => done).toEqual(['a2 gone'])
    controller.abort(new Error('enough'))
    await Promise.all([...all, hold.catch(() => undefined)])
    expect(done).toEqual(['a2 gone', 'a1', 'b1', 'a3', 'of a job'])
  })

  it('takes work from its caller first, but no more than allowed', async () => {
    const threads = startPool({ threads: 2, helpers: 1, maxMs: 10_000 })
    const controller = new AbortController()
    const done: string[] = []
    const held = threads.help({ capture: capture('loop'), order }, call(controller.signal)).catch(() => undefined)
    const helped = threads.help({ capture: capture('helped'), order }, call()).then(() => done.push('helped'))
    await run(threads, 'needed').then(() => done.push('needed'))
    expect(done).toEqual(['needed'])
    controller.abort(new Error('enough'))
    await Promise.all([held, helped])
    expect(done).toEqual(['needed', 'helped'])
  })

  it('sends further pages to a thread before the first is answered', async () => {
    const threads = startPool({ maxMs: 10_000 })
    for (let i = 0; i < 50; i++) await threads.help({ capture: capture('thread is there'), order }, call())
    const bodies = Array.from({ length: 9 }, () => Buffer.from(new SharedArrayBuffer(4)))
    const pages = bodies.map((body) => {
      body.write('mark')
      return threads.help({ capture: { ...capture(''), body }, order }, call())
    })
    // No answer is received until the thread has had eight pages, and time to look for a ninth.
    const pass = (ms: number, isOver: () => boolean): void => {
      for (const from = performance.now(); performance.now() - from < ms && !isOver(); );
    }
    pass(10_000, () => String(bodies[7]) === '!ark')
    pass(300, () => false)
    expect(bodies.map(String)).toEqual([...Array.from({ length: 8 }, () => '!ark'), 'mark'])
    await Promise.all(pages)
  })

  it('pauses the clock of a page while its thread starts, and gives no extra work to a starting thread', async () => {
    const threads = startPool({ maxMs: 10_000 })
    const { said, clock } = stood()
    threads.prepare()
    expect(threads.canHelp()).toBe(false)
    const page = threads.run({ capture: capture('first'), order }, { ...call(), clock })
    expect(said).toEqual(['stands'])
    await page
    expect([said, threads.canHelp()]).toEqual([['stands', 'goes on'], true])
    // A thread that fails to start resumes the clock, too.
    const broken = startPool({ entry: new URL('data:text/javascript,throw new Error("broken")') })
    await expect(broken.run({ capture: capture('page'), order }, { ...call(), clock })).rejects.toThrow('broken')
    expect(said.slice(2)).toEqual(['stands', 'goes on'])
  })

  it('blames no page for the time that its thread takes to start, and says that the machine is overloaded if that has no end', async () => {
    const after = (start: string): URL => new URL(`data:text/javascript,${encodeURIComponent(`${start}\n${script}`)}`)
    const late = startPool({ maxMs: 1_000, entry: after('await new Promise((resolve) => setTimeout(resolve, 2_000))') })
    expect((await run(late, 'page')).fields().markdown).toBe('page')
    await expect(run(late, 'loop')).rejects.toMatchObject({ code: 'SCRAPE_TIMEOUT' })
    const never = startPool({ maxMs: 100, entry: after('for (;;);') })
    await expect(run(never, 'page')).rejects.toMatchObject({ code: 'OVERLOADED' })
  })

  it('goes on with a thread whose caller left while it was starting', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trawl-starts-'))
    try {
      const slow = `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(`${folder}/`)} + crypto.randomUUID(), '')\nawait new Promise((resolve) => setTimeout(resolve, 500))`
      const threads = startPool({ maxMs: 10_000, entry: new URL(`data:text/javascript,${encodeURIComponent(`${slow}\n${script}`)}`) })
      const gone = new AbortController()
      const left = run(threads, 'left', gone.signal).catch(String)
      while ((await readdir(folder)).length === 0) await setImmediate()
      gone.abort('has left')
      expect((await run(threads, 'next')).fields().markdown).toBe('next')
      expect([await left, (await readdir(folder)).length]).toEqual(['has left', 1])
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('ignores the answer for a page whose caller has left', async () => {
    const threads = startPool({ maxMs: 10_000 })
    await run(threads, 'thread is there')
    const { said, clock } = stood()
    const gone = new AbortController()
    const texts = ['first', 'gone', 'last']
    const pages = texts.map((text, i) => threads.help({ capture: capture(text), order }, { ...call(i === 1 ? gone.signal : undefined), clock }).then((packed) => packed.fields().markdown, String))
    gone.abort('has left')
    expect(said).toEqual(['stands', 'goes on', 'stands', 'stands', 'goes on'])
    expect(await Promise.all(pages)).toEqual(['first', 'has left', 'last'])
    expect(said.slice(5)).toEqual(['goes on'])
  })

  it('moves the queued pages of an aborted thread to another, except those whose caller has left', async () => {
    const threads = startPool()
    const gone = new AbortController()
    const pages = [threads.help({ capture: capture('loop'), order }, call()), threads.help({ capture: capture('loop'), order }, call(gone.signal))].map((page) => page.catch((error: unknown) => error))
    gone.abort('has left')
    const next = run(threads, 'next')
    expect(await Promise.all(pages)).toMatchObject([{ code: 'SCRAPE_TIMEOUT' }, 'has left'])
    expect((await next).fields().markdown).toBe('next')
  })

  it('assigns nothing to an idle thread that is being ended', async () => {
    const threads = startPool({ threads: 2, idleMs: 40 })
    for (let i = 0; i < 12; i++) {
      expect((await run(threads, `page ${i}`)).fields().markdown).toBe(`page ${i}`)
      await setTimeout(40)
    }
  })

  it('tells waiting and running callers that it stops, and starts no thread for them', async () => {
    const threads = startPool({ maxMs: 10_000 })
    const all = ['loop', 'waits'].map((text) => run(threads, text).then(() => 'done', (error: unknown) => (error instanceof ServiceError ? error.code : error)))
    await threads.close()
    expect(await Promise.all(all)).toEqual(['SHUTTING_DOWN', 'SHUTTING_DOWN'])
  })

  it('refuses work once closed', async () => {
    const threads = startPool()
    await threads.close()
    await expect(run(threads, 'late')).rejects.toMatchObject({ code: 'SHUTTING_DOWN' })
  })
})

describe('reading in threads that can be killed', () => {
  const derive = async (text: string): Promise<Packed> => {
    const reader = compute({ entry: built })
    open.push(reader)
    return reader.derive(capture(text), order, call())
  }

  it('gives the same result for a small page on this thread and a large page in another', async () => {
    const article = `<main><h1>Tide</h1>${'<p>The gauge at the pier counts every wave of the day and the night.</p>'.repeat(20)}</main>`
    const small = await derive(`<title>T</title>${article}`)
    const large = await derive(`<title>T</title><script>${'/* filler */'.repeat(60_000)}</script>${article}`)
    expect(large.fields()).toEqual(small.fields())
    expect(Buffer.from(large.bytes()).toString()).toBe(Buffer.from(small.bytes()).toString())
    expect(small.facts).toMatchObject({ verdict: 'ok', metadata: { title: 'T' } })
  })

  it('reads all of a page that is sent to a thread in pieces', async () => {
    const reader = compute({ entry: built })
    open.push(reader)
    for (const name of ['first', 'second']) {
      const made = await reader.derive(capture(`<title>${name}</title><script>${'/* filler */'.repeat(800_000)}</script><main><p>The end of the ${name}.</p></main>`), order, call())
      expect([made.facts.metadata['title'], made.fields().markdown]).toEqual([name, `The end of the ${name}.\n`])
    }
  })

  it.each<[string, Partial<DeriveOrder['read']>, DeriveOrder['formats'], boolean]>([
    ['none', {}, [], true],
    ['plain ones', { includeTags: ['main', '.text'], excludeTags: ['nav', 'p.note', '#top'] }, [], true],
    ['one that compares elements', { excludeTags: ['div ~ div'] }, [], false],
    ['many', { includeTags: Array.from({ length: 21 }, (_, i) => `.c${i}`) }, [], false],
    ['one of attributes that compares elements', {}, [{ type: 'attributes', selectors: [{ selector: 'a:not(.b ~ .c)', attribute: 'href' }] }], false],
  ])('reads a small page with %s on this thread only if that takes a moment', async (_, wanted, formats, here) => {
    const reader = compute({ entry })
    open.push(reader)
    const text = '<main><p class="text">One sentence.</p></main>'
    const made = await reader.derive(capture(text), { ...order, formats: [...order.formats, ...formats], read: { ...order.read, ...wanted } }, call())
    // The fake thread returns the text unchanged.
    expect(made.fields().markdown === text).toBe(!here)
  })

  it('moves small pages to threads while saturated, two per thread with a core, and up to eight once it has read some', async () => {
    const state = { busy: true }
    const reader = compute({ entry, threads: 2, helpers: 1, isBusy: () => state.busy })
    open.push(reader)
    const text = '<main><p class="text">One sentence.</p></main>'
    const derive = async (): Promise<'here' | 'in a thread'> => ((await reader.derive(capture(text), order, call())).fields().markdown === text ? 'in a thread' : 'here')
    await warm(reader)
    expect(await Promise.all([derive(), derive(), derive()])).toEqual(['in a thread', 'in a thread', 'here'])
    for (let i = 0; i < 50; i++) await derive()
    expect(await Promise.all(Array.from({ length: 9 }, derive))).toEqual([...Array.from({ length: 8 }, () => 'in a thread'), 'here'])
    expect(await derive()).toBe('in a thread')
    state.busy = false
    expect(await derive()).toBe('here')
  })

  it('reads the pages that a thread finds in step, each with its own outcome', async () => {
    const threads = startPool({ entry: built, maxMs: 10_000, maxHeapMb: 256 })
    await run(threads, 'thread is there')
    const texts = ['<main><p>One of seven.', '<title>T</title><main><p>Two of seven.', `${'<div>'.repeat(600)}Three of seven.`, 'Four of seven.', '<main><p>Five of seven.', '', `<main>${'<p>Seven of <b>seven</b>.'.repeat(40)}`]
    const unreadable = { ...order, formats: [{ type: 'attributes', selectors: null }] as unknown as DeriveOrder['formats'] } // what breaks its reader
    const broken = threads.help({ capture: capture('<p>broken'), order: unreadable }, call()).catch(String)
    const pages = await Promise.all(texts.map((text) => threads.help({ capture: capture(text), order }, call())))
    const here = compute({ entry: built })
    open.push(here)
    const alone = await Promise.all(texts.map((text) => here.derive(capture(text), order, call())))
    expect(pages.map((page) => Buffer.from(page.bytes()).toString())).toEqual(alone.map((page) => Buffer.from(page.bytes()).toString()))
    expect(pages.map((page) => page.fields().markdown?.slice(0, 5))).toEqual(['One o', 'Two o', 'Three', 'Four ', 'Five ', '', 'Seven'])
    expect(await broken).toContain('reading failed')
  })

  it('reads a few small pages per turn of the event loop, and none whose caller has left', async () => {
    const reader = compute({ entry: built })
    open.push(reader)
    const gone = new AbortController()
    let turns = 0
    const counted = (async () => {
      for (; turns < 50; turns += 1) await setImmediate()
    })()
    const pages = Array.from({ length: 11 }, async (_, page) => {
      await reader.derive(capture(`<p>Page ${page} of eleven.`), order, call(page === 3 ? gone.signal : undefined))
      return turns
    })
    gone.abort(new Error('left'))
    const outcomes = await Promise.allSettled(pages)
    await counted
    expect(outcomes[3]).toMatchObject({ status: 'rejected', reason: { message: 'left' } })
    const read = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    expect(read).toHaveLength(10)
    expect(new Set(read).size, `turns ${read.join(', ')}`).toBeGreaterThanOrEqual(3)
  })

  it('moves even small pages that were already waiting for their turn', async () => {
    let busy = false
    const reader = compute({ entry, threads: 2, helpers: 1, isBusy: () => busy })
    open.push(reader)
    const text = '<main><p class="text">One sentence.</p></main>'
    const derive = async (): Promise<boolean> => (await reader.derive(capture(text), order, call())).fields().markdown === text
    await warm(reader)
    const pages = [derive(), derive(), derive(), derive(), derive()]
    await setImmediate()
    busy = true
    // The fake thread returns the text unchanged.
    expect(await Promise.all(pages)).toEqual([false, false, false, false, true])
  })

  it('reads the pages of clients before those of jobs', async () => {
    const reader = compute({ entry: built })
    open.push(reader)
    const ended: string[] = []
    const page = async (name: string, background?: true): Promise<void> => {
      await reader.derive(capture(`<p>${name}`), order, { ...call(), ...(background && { background }) })
      ended.push(name)
    }
    await Promise.all([page('of a job', true), page('of a job, too', true), page('asked for')])
    expect(ended).toEqual(['asked for', 'of a job', 'of a job, too'])
  })

  it('does not count a job page’s wait for others against its timeout', async () => {
    const reader = compute({ entry: built })
    open.push(reader)
    const { said, clock } = stood()
    const gone = new AbortController()
    const pages = [call(), call(), call(), call(), call(gone.signal)].map((one) => reader.derive(capture('<p>One page.'), order, { ...one, clock }).catch(() => undefined))
    await pages[0]
    expect(said.splice(0)).toEqual(['stands', 'stands', 'stands', 'stands', 'stands', 'goes on', 'goes on', 'goes on', 'goes on'])
    gone.abort(new Error('left'))
    await Promise.all(pages)
    expect(said).toEqual(['goes on'])
  })

  it('starts a thread at the second small page, not at the first', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trawl-threads-'))
    const started = join(folder, 'started')
    const reader = compute({ entry: new URL(`data:text/javascript,${encodeURIComponent(`import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(started)}, '')`)}`) })
    open.push(reader, { close: () => rm(folder, { recursive: true }) })
    await reader.derive(capture('<p>one'), order, call())
    await setImmediate()
    expect(existsSync(started)).toBe(false)
    await reader.derive(capture('<p>two'), order, call())
    await expect.poll(() => existsSync(started), { timeout: 10_000 }).toBe(true)
  })

  it('reads extremely nested pages', async () => {
    const deep = await derive(`${'<div>'.repeat(50_000)}The bottom of the page`)
    expect(deep.fields().markdown).toContain('The bottom of the page')
  })
})

it('counts a thread as busy while it works without a pause, and not after a rest', async () => {
  const isBusy = busyMeter()
  const work = (ms: number): void => {
    for (const from = performance.now(); performance.now() - from < ms; );
  }
  work(300)
  expect(isBusy()).toBe(false)
  work(300)
  expect(isBusy()).toBe(true)
  await setTimeout(300)
  expect(isBusy()).toBe(false)
})

it('gets an order from the request of a scrape that can be sent to a thread', () => {
  expect(() => structuredClone(ScrapeRequest.parse({ url: 'http://a.example/', formats: ['markdown', 'links'] }).formats)).not.toThrow()
})
