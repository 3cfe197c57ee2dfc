import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { paragraph, samplePdf } from '../../test/pdf.ts'
import type { Call } from '../domain/call.ts'
import type { ServiceError } from '../domain/errors.ts'
import type { PdfOrder } from '../domain/pages/pdf.ts'
import { type FileParsers, fileParsers, missingLanguages, type OcrPrograms } from './index.ts'

// Fake programs: what the service is responsible for is when they run, their arguments, and what happens if they fail.
const folder = mkdtempSync(join(tmpdir(), 'trawl-ocr-'))
chmodSync(folder, 0o755)
afterAll(() => rmSync(folder, { recursive: true }))

function program(name: string, script: string): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

const pdftoppm = program('pdftoppm', 'cat > /dev/null; while [ $# -gt 1 ]; do [ "$1" = -f ] && page=$2; shift; done; echo "page $page"')
const tesseract = program('tesseract', 'echo "Seen: $(cat)"; echo "in $4, as $(env | grep -c TRAWL) of ours"')
const programs: OcrPrograms = { tesseract, pdftoppm, languages: 'eng+deu' }

const open: FileParsers[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
})
function parser(ocr: OcrPrograms | null): FileParsers {
  const made = fileParsers({ entry: new URL('../../dist/parsers/child.js', import.meta.url), ocr })
  open.push(made)
  return made
}

const order: PdfOrder = { mode: 'auto', pages: false, pageMarkers: false, html: false }
const callOf = (more: Partial<Call> = {}): Call => ({ id: 'c', team: 't', signal: new AbortController().signal, deadline: Date.now() + 600_000, retention: 'normal', log: () => undefined, ...more })
const written = { lines: paragraph(['High water is at seven in the morning,', 'low water at one in the afternoon.'], { y: 700 }) }
const mixed = samplePdf({ pages: [written, { scanned: true }, { scanned: true }] })
const seen = (page: number): string => `Seen: page ${page} in eng+deu, as 0 of ours`
const text = 'High water is at seven in the morning, low water at one in the afternoon.'
const codeOf = (work: Promise<unknown>): Promise<string> => work.then(() => 'none', (error: ServiceError) => error.code)

describe('text recognition', () => {
  it('tells which of its languages the program has no file for', async () => {
    const { signal } = new AbortController()
    const listing = program('listing', 'echo \'List of available languages in "/there/" (2):\'; echo eng; echo osd; echo "as $1" >&2')
    expect(await missingLanguages({ ...programs, tesseract: listing }, signal)).toEqual(['deu'])
    expect(await missingLanguages({ ...programs, tesseract: listing, languages: 'eng' }, signal)).toEqual([])
    expect(await missingLanguages({ ...programs, tesseract: program('failing', 'exit 1') }, signal)).toBeNull()
  })

  it('reads image pages in mode auto, all pages in mode ocr, and none in mode fast', async () => {
    process.env['TRAWL_TEST_SECRET'] = 'secret of ours'
    const one = parser(programs)
    const [auto, all, fast] = [await one.parse(mixed, order, callOf()), await one.parse(mixed, { ...order, mode: 'ocr' }, callOf()), await one.parse(mixed, { ...order, mode: 'fast' }, callOf())]
    delete process.env['TRAWL_TEST_SECRET']
    expect([auto.late, all.late]).toEqual([undefined, undefined])
    expect([auto.markdown, auto.warnings, auto.numPages]).toEqual([`${text}\n\n${seen(2)}\n\n${seen(3)}`, [], 3])
    expect(all.markdown).toBe([1, 2, 3].map(seen).join('\n\n'))
    expect([fast.markdown, fast.pagesNeedingOcr]).toEqual([text, [2, 3]])
  })

  it('reports the pages that it did not reach, and missing programs', async () => {
    const late = await parser(programs).parse(mixed, order, callOf({ deadline: Date.now() }))
    expect(late.warnings).toEqual(['Pages 2-3 of the PDF may lack text: it is a picture or cannot be decoded, and text recognition (OCR) did not get to it in time, or failed at it.'])
    expect([late.late, (await parser(null).parse(mixed, order, callOf())).late, (await parser(null).parse(mixed, { ...order, mode: 'fast' }, callOf())).late]).toEqual([true, undefined, undefined])
    expect([parser(programs).ocr, parser({ ...programs, pdftoppm: null }).ocr, parser(null).ocr]).toEqual(['eng+deu pdf', 'eng+deu', null])
    const none = await parser(programs).parse(mixed, { ...order, mode: 'ocr' }, callOf({ deadline: Date.now() }))
    expect([none.markdown, none.warnings]).toEqual([text, [...late.warnings, 'Text recognition (OCR) did not get to page 1 of the PDF in time, or failed at it: the text is the one that the file holds.']])
    expect(await codeOf(parser({ ...programs, pdftoppm: null }).parse(mixed, { ...order, mode: 'ocr' }, callOf()))).toBe('FEATURE_NOT_CONFIGURED')
    expect(await parser(null).recognise(mixed, callOf())).toEqual({
      html: '',
      metadata: {},
      warnings: ['The picture was not read: text recognition (TRAWL_OCR) needs the programs tesseract and pdftoppm on this machine.'],
    })
  })

  it('reads an image, as text and not as tags', async () => {
    const { html } = await parser(programs).recognise(Buffer.from('<b>&'), callOf())
    expect(html).toBe('<p>Seen: &lt;b&gt;&amp;\nin eng+deu, as 0 of ours</p>')
  })

  it('continues after a program fails, and kills it when nobody waits any more', async () => {
    const broken = parser({ ...programs, tesseract: program('broken', 'exit 1') })
    expect((await broken.parse(mixed, order, callOf())).pagesNeedingOcr).toEqual([2, 3])
    expect(await codeOf(broken.recognise(Buffer.from('x'), callOf()))).toBe('SCRAPE_UNSUPPORTED_FILE_ERROR')
    const gone = new AbortController()
    const endless = parser({ ...programs, tesseract: program('endless', 'exec sleep 1000') })
    const work = [endless.recognise(Buffer.from('x'), callOf({ signal: gone.signal })), endless.recognise(Buffer.from('y'), callOf({ signal: gone.signal }))]
    const ends = Promise.all(work.map((one) => expect(one).rejects.toThrow('left')))
    gone.abort(new Error('left'))
    await ends
  })
})
