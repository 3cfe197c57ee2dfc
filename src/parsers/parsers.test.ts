import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { createDeflate, deflateSync } from 'node:zlib'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { paragraph, pdfFile, samplePdf } from '../../test/pdf.ts'
import type { Call } from '../domain/call.ts'
import type { ServiceError } from '../domain/errors.ts'
import type { PdfDocument, PdfOrder } from '../domain/pages/pdf.ts'
import { stood } from '../../test/stood.ts'
import { fileParsers, type FileParserOptions, type FileParsers } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'trawl-parsers-'))
const built = new URL('../../dist/parsers/child.js', import.meta.url)
afterAll(() => rmSync(folder, { recursive: true }))

/** A fake reading process: the file tells it what to do, and it answers with its pid. */
const puppet = join(folder, 'puppet.mjs')
writeFileSync(
  puppet,
  `process.on('disconnect', () => process.exit())
process.on('message', ({ bytes }) => {
  const text = Buffer.from(bytes).toString()
  if (text === 'hang') return
  if (text === 'loop') for (;;);
  if (text === 'die') process.exit(3)
  if (text === 'crash') process.kill(process.pid, 'SIGSEGV')
  if (text === 'memory') return process.send({ problem: 'memory' })
  if (text === 'environment') return process.send({ document: { markdown: JSON.stringify(process.env), pagesNeedingOcr: [] } })
  process.send({ document: { markdown: String(process.pid), pagesNeedingOcr: [] } })
})`,
)

const open: FileParsers[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
})

function parser(options: FileParserOptions = {}): FileParsers {
  const made = fileParsers({ entry: built, ...options })
  open.push(made)
  return made
}
const puppets = (options: FileParserOptions = {}): FileParsers => parser({ entry: pathToFileURL(puppet), processes: 1, maxMs: 10_000, ...options })

const order: PdfOrder = { mode: 'auto', pages: false, pageMarkers: false, html: false }
const callOf = (signal = new AbortController().signal, team = 't'): Call => ({ id: 'c', team, signal, deadline: 0, retention: 'normal', log: () => undefined })
const say = (one: FileParsers, text: string, ...by: Parameters<typeof callOf>): Promise<PdfDocument> => one.parse(Buffer.from(text), order, callOf(...by))
const codeOf = (work: Promise<unknown>): Promise<string> => work.then(() => 'none', (error: ServiceError) => `${error.code}: ${error.message}`)

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A dead process that was not reaped yet is still listed.
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve))
}

const page = samplePdf({ pages: [{ lines: paragraph(['High water is at seven in the morning,', 'low water at one in the afternoon.'], { y: 700 }) }] })

const catalog = '<< /Type /Catalog /Pages 2 0 R >>'
const kids = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>'
const page1 = (more: string): string => `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${more} >>`

describe('fileParsers', () => {
  it('reads a file of any size in a separate process', async () => {
    const { markdown } = await parser().parse(page, order, callOf())
    expect(markdown).toBe('High water is at seven in the morning, low water at one in the afternoon.')
    const large = Buffer.concat([page, Buffer.alloc(30 * 1024 * 1024, '% filler\n'), page.subarray(page.lastIndexOf('startxref'))])
    expect((await parser().parse(large, order, callOf())).markdown).toBe(markdown)
  })

  it.each([
    ['SCRAPE_UNSUPPORTED_FILE_ERROR: The PDF is encrypted', samplePdf({ pages: [{}], password: 'secret' }), 'auto' as const],
    ['SCRAPE_UNSUPPORTED_FILE_ERROR: The PDF is broken', page.subarray(0, 300), 'auto' as const],
    ['SCRAPE_PDF_OCR_REQUIRED: The pages of the PDF hold no text', samplePdf({ pages: [{ scanned: true }] }), 'fast' as const],
    ['FEATURE_NOT_CONFIGURED: Not configured: text recognition', page, 'ocr' as const],
  ])('returns %s', async (start, bytes, mode) => {
    expect(await codeOf(parser().parse(bytes, { ...order, mode }, callOf()))).toMatch(new RegExp(`^${start}`))
  })

  /**
   * A page with this many MB of spaces, made in steps of a megabyte: new memory is slow on some machines, and the time
   * of the test is for the reader.
   */
  async function bombOf(mb: number): Promise<Buffer> {
    const spaces = Buffer.alloc(1024 * 1024, ' ')
    const stream = await buffer(Readable.from(Array.from({ length: mb }, () => spaces)).pipe(createDeflate()))
    return pdfFile([catalog, kids, page1('/Contents 4 0 R'), { head: '/Filter /FlateDecode', stream }])
  }

  // With default limits, a file has the same memory on every Node: it is stopped before its allocations fail.
  it.each([
    [400, { maxRssMb: 200 }],
    [280, {}],
  ])('stops a file that uses too much memory (%i MB and more), and reads the next one', { timeout: 60_000 }, async (mb, limits) => {
    const one = parser({ processes: 1, ...limits })
    expect(await codeOf(one.parse(await bombOf(mb), order, callOf()))).toMatch(/^SCRAPE_UNSUPPORTED_FILE_ERROR: The PDF could not be read: it needs too much memory/)
    expect((await one.parse(page, order, callOf())).numPages).toBe(1)
  })

  it.skipIf(process.platform !== 'linux')('survives native code that ends its process for lack of memory', { timeout: 60_000 }, async () => {
    const one = parser({ processes: 1, maxRssMb: 10_000, roomMb: 200 })
    expect(await codeOf(one.parse(await bombOf(900), order, callOf()))).toBe('SCRAPE_UNSUPPORTED_FILE_ERROR: The PDF could not be read: it broke its reader.')
    expect((await one.parse(page, order, callOf())).numPages).toBe(1)
  })
})

describe('the reading processes', () => {
  it('are reused for the next file', async () => {
    const one = puppets()
    expect((await say(one, 'a')).markdown).toBe((await say(one, 'b')).markdown)
  })

  it.each(['die', 'crash', 'memory'])('may be ended by a file (%s): that one fails, waiting ones do not', async (how) => {
    const one = puppets()
    const before = (await say(one, 'first')).markdown
    const [failed, next] = await Promise.all([codeOf(say(one, how)), say(one, 'next')])
    expect(failed).toMatch(how === 'memory' ? /too much memory/ : /^SCRAPE_UNSUPPORTED_FILE_ERROR: The PDF could not be read: it broke its reader\.$/)
    expect(next.markdown).not.toBe(before)
  })

  it.each(['hang', 'loop'])('are killed at the timeout (%s)', async (how) => {
    // Starting the process counts, too.
    const one = puppets({ maxMs: 1_500 })
    const pid = Number((await say(one, 'pid')).markdown)
    expect(await codeOf(say(one, how))).toMatch(/^SCRAPE_TIMEOUT: The PDF took too long/)
    await until(() => !lives(pid))
    expect(Number((await say(one, 'pid')).markdown)).not.toBe(pid)
  })

  it('are granted to teams in turn', async () => {
    const one = puppets()
    const done: string[] = []
    const hold = new AbortController()
    const first = say(one, 'loop', hold.signal, 'a')
    const all = [['a1', 'a'], ['a2', 'a'], ['b1', 'b']].map(([text = '', team]) => say(one, text, undefined, team).then(() => done.push(text)))
    hold.abort(new Error('enough'))
    await expect(first).rejects.toThrow('enough')
    await Promise.all(all)
    expect(done).toEqual(['a1', 'b1', 'a2'])
  })

  it('are kept from no team by another whose files take long', async () => {
    const one = puppets({ processes: 2 })
    const hold = new AbortController()
    const stuck = Array.from({ length: 4 }, () => codeOf(say(one, 'loop', hold.signal, 'a')))
    const [first, second] = [await say(one, 'pid', undefined, 'b'), await say(one, 'pid', undefined, 'c')]
    expect(second.markdown).toBe(first.markdown)
    hold.abort(new Error('enough'))
    await Promise.all(stuck)
  })

  it('pause the clock of a file that waits for one', async () => {
    const one = puppets()
    const { said, clock } = stood()
    const [hold, gone] = [new AbortController(), new AbortController()]
    const files = ([['loop', hold], ['pid', undefined], ['never', gone]] as const).map(([text, by]) => one.parse(Buffer.from(text), order, { ...callOf(by?.signal), clock }).catch(() => undefined)) // what the files do
    expect(said.splice(0)).toEqual(['stands', 'goes on', 'stands', 'stands'])
    gone.abort(new Error('left'))
    expect(said.splice(0)).toEqual(['goes on'])
    hold.abort(new Error('enough'))
    await Promise.all(files)
    expect(said).toEqual(['goes on'])
  })

  it('are killed when the caller leaves, and waiting callers may leave, too', async () => {
    const one = puppets()
    const pid = Number((await say(one, 'pid')).markdown)
    const [busy, waiting] = [new AbortController(), new AbortController()]
    const [first, second] = [say(one, 'loop', busy.signal), say(one, 'never', waiting.signal)]
    waiting.abort(new Error('gone'))
    await expect(second).rejects.toThrow('gone')
    busy.abort(new Error('left'))
    await expect(first).rejects.toThrow('left')
    await until(() => !lives(pid))
    await expect(say(one, 'x', busy.signal)).rejects.toThrow('left')
  })

  it('are limited in number', async () => {
    const one = puppets({ processes: 2 })
    const answers = await Promise.all(Array.from({ length: 12 }, () => say(one, 'pid')))
    expect(new Set(answers.map((answer) => answer.markdown)).size).toBeLessThanOrEqual(2)
  })

  it('end when idle and when closed', async () => {
    const short = puppets({ idleMs: 50 })
    const idle = Number((await say(short, 'pid')).markdown)
    await until(() => !lives(idle))
    const one = puppets()
    const pid = Number((await say(one, 'pid')).markdown)
    const busy = codeOf(say(one, 'loop'))
    const waiting = codeOf(say(one, 'x'))
    await one.close()
    expect(lives(pid)).toBe(false)
    expect(await busy).toMatch(/broke its reader/)
    expect(await waiting).toMatch(/^SHUTTING_DOWN/)
    expect(await codeOf(say(one, 'x'))).toMatch(/^SHUTTING_DOWN/)
  })

  it('inherit nothing of our environment', async () => {
    process.env['TRAWL_TEST_SECRET'] = 'secret of ours'
    const { markdown } = await say(puppets(), 'environment')
    delete process.env['TRAWL_TEST_SECRET']
    expect(Object.keys(JSON.parse(markdown) as object).filter((name) => !/^(PWD|OLDPWD|SHLVL|_|NODE_CHANNEL_.*)$/.test(name))).toEqual([]) // an object made by the fake process
  })

  it.each([
    ['while it starts', 0],
    ['in the middle of a file', 120],
  ])('do not survive a parent that is killed %s', async (_when, residentMb) => {
    const script = join(folder, 'parent.mjs')
    const door = JSON.stringify(new URL('../../dist/parsers/index.js', import.meta.url).href)
    writeFileSync(
      script,
      `import { fileParsers } from ${door}
import { readFileSync } from 'node:fs'
const bytes = readFileSync(process.argv[2])
const call = { id: '', team: '', signal: new AbortController().signal, deadline: 0, retention: 'normal', log() {} }
void fileParsers({ processes: 1 }).parse(bytes, ${JSON.stringify(order)}, call)
setInterval(() => console.log('.'), 20)`,
    )
    const text = deflateSync(`BT /F1 11 Tf ${'1 0 Td (abc) Tj '.repeat(6_000_000)} ET`)
    const file = join(folder, 'heavy.pdf')
    writeFileSync(file, pdfFile([catalog, kids, page1('/Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >>'), { head: '/Filter /FlateDecode', stream: text }, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>']))
    const parent = spawn(process.execPath, [script, file], { stdio: ['ignore', 'pipe', 'inherit'] })
    const childrenOf = (pid: number): number[] => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter((text) => text !== '').map(Number)
    await new Promise((resolve) => parent.stdout.once('data', resolve))
    await until(() => childrenOf(parent.pid ?? 0).length === 1)
    const [child = 0] = childrenOf(parent.pid ?? 0)
    await until(() => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child}/status`, 'utf8'))?.[1] ?? 0) > residentMb * 1024)
    parent.kill('SIGKILL')
    await new Promise((resolve) => parent.once('exit', resolve))
    await until(() => !lives(child))
    expect(lives(child)).toBe(false)
  })
})
