import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { CFB } from '@e965/xlsx'
import { describe, expect, it } from 'vitest'
import { readDocument } from '../read.ts'

/** `minutes.fodt`, saved as Word 97 by LibreOffice 7.4. */
const minutes = readFileSync(fileURLToPath(new URL('../../../../fixtures/documents/minutes.doc', import.meta.url)))

interface Part {
  readonly text: string
  readonly wide?: boolean
}

interface Parts {
  readonly sign?: number
  readonly flags?: number
  readonly pieces: readonly Part[]
  /** Property changes that apply to all characters, as stored in the file. */
  readonly letters?: readonly number[]
  readonly fonts?: readonly string[]
  readonly table?: string
}

const textAt = 2_048
const words = (...values: readonly number[]): Buffer => Buffer.from(values.flatMap((value) => [value & 0xff, (value >> 8) & 0xff]))
const longs = (...values: readonly number[]): Buffer => Buffer.concat(values.map((value) => words(value & 0xffff, value >>> 16)))

/** A Word file with a text in pieces, stored in reverse order. */
function file({ sign = 0xa5ec, flags = 0, pieces, letters = [], fonts = [], table = '0Table' }: Parts): Uint8Array {
  const bodies = pieces.map(({ text, wide = false }) => Buffer.from(text, wide ? 'utf16le' : 'latin1'))
  const places = bodies.map((_, i) => textAt + bodies.slice(i + 1).reduce((sum, body) => sum + body.length, 0))
  const ends = pieces.map((_, i) => pieces.slice(0, i + 1).reduce((sum, { text }) => sum + text.length, 0))
  const entries = pieces.map(({ wide = false }, i) => Buffer.concat([words(0), longs(wide ? (places[i] ?? 0) : ((places[i] ?? 0) * 2) | 0x4000_0000), words(0)]))
  const positions = Buffer.concat([longs(0, ...ends), ...entries])
  const clx = Buffer.concat([Buffer.from([2]), longs(positions.length), positions])
  const text = Buffer.concat(bodies.toReversed())
  const page = Math.ceil((textAt + text.length) / 512)
  const run = Buffer.alloc(512)
  longs(textAt, textAt + text.length).copy(run, 0)
  run[8] = 100
  Buffer.from([letters.length, ...letters]).copy(run, 200)
  run[511] = 1
  const runs = longs(textAt, textAt + text.length, page)
  const names = fonts.map((name) => Buffer.concat([Buffer.from([39 + name.length * 2 + 2]), Buffer.alloc(39), Buffer.from(`${name}\0`, 'utf16le')]))
  const fontTable = Buffer.concat([words(fonts.length, 0), ...names])
  const head = Buffer.alloc(textAt)
  words(sign).copy(head, 0)
  words(flags).copy(head, 10)
  longs(ends.at(-1) ?? 0).copy(head, 76)
  longs(0, clx.length).copy(head, 154 + 33 * 8)
  longs(clx.length, runs.length).copy(head, 154 + 12 * 8)
  longs(clx.length + runs.length, fontTable.length).copy(head, 154 + 15 * 8)
  const main = Buffer.concat([head, text, Buffer.alloc(page * 512 - textAt - text.length), run])
  const made = CFB.utils.cfb_new()
  CFB.utils.cfb_add(made, '/WordDocument', main)
  CFB.utils.cfb_add(made, `/${table}`, Buffer.concat([clx, runs, fontTable]))
  return CFB.write(made, { type: 'buffer' }) as Uint8Array // the type of that output
}

/** A copy of the file with some two-byte characters replaced by as many others. */
function changed(bytes: Buffer, from: string, to: string): Buffer {
  const copy = Buffer.from(bytes)
  copy.write(to, copy.indexOf(from, 0, 'utf16le'), 'utf16le')
  return copy
}

async function htmlOf(bytes: Uint8Array): Promise<string> {
  const reply = await readDocument(bytes)
  if (!('converted' in reply)) return reply.problem
  return reply.converted.html.trim()
}

/** A `<p>` for each line, as paragraphs are written. */
const paragraphs = (...lines: readonly string[]): string => lines.map((line) => `<p>${line}</p>`).join('\n')

it('a Word file is read with all that it contains', async () => {
  const reply = await readDocument(minutes)
  if (!('converted' in reply)) throw new Error(reply.problem)
  expect(reply.converted.html).toBe(`<h1>Notes of the council</h1>
<h1>Water</h1>
<p>The level rose<sup><a href="#footnote-1" id="footnote-ref-1">1</a></sup> by 3 m<sup>2</sup> of H<sub>2</sub>O<sup><a href="#footnote-2" id="footnote-ref-2">2</a></sup>.  It was <strong>bold</strong><em>italic</em>, and run <code>make</code>. Tab here, softhyphen, non-breaking, <a href="mailto:a@example.com">write</a> or <a href="https://example.com/a?b=1&amp;c=2#d">read</a>.</p>
<blockquote><p>Somebody said so.</p></blockquote><pre>if (a &lt; b) {
  return c
}
</pre><ul><li>One<ol><li>One a</li><li>One b</li></ol></li><li>Two</li></ul><ol start="4"><li>Fourth</li></ol><p>Between.</p>
<ol start="5"><li>Fifth</li></ol><h2>Box</h2>
<p>Before the box. After the anchor.</p>
<p>Text in a box.</p>
<p>Two lines.</p>
<table><thead><tr><th>H1</th><th>H2</th><th>H3</th></tr></thead><tbody><tr><td colspan="2">Wide<br>second paragraph</td><td rowspan="2">Tall</td></tr><tr><td>in a cell</td><td>n1<br>n2</td></tr></tbody></table>
<p>Greek: Ωμέγα. Arabic: مرحبا. Emoji 😀. Long tail follows.</p>
<p>The end.</p>
<ol><li id="footnote-1"><p>Measured at <strong>noon</strong>.</p>
</li><li id="footnote-2"><p>An endnote.</p>
</li></ol>
`)
  expect(reply.converted.metadata).toEqual({ title: 'Notes of the council', author: 'A. Clerk', description: 'Minutes', publishedTime: '2003-05-06T07:08:09.000Z' })
  expect(reply.converted.warnings).toEqual([])
})

it.each([
  ['in it', 'Fou\fth', 'Fou<br>th'],
  ['before it', '\fourth', 'ourth'],
  ['after it', 'Fourt\f', 'Fourt'],
])('a list item with a page break %s is counted once', async (_, text, item) => {
  expect(await htmlOf(changed(minutes, 'Fourth', text))).toContain(`<ol start="4"><li>${item}</li></ol><p>Between.</p>\n<ol start="5"><li>Fifth</li></ol>`)
})

describe('a text in pieces', () => {
  it('is assembled from one-byte and two-byte characters', async () => {
    expect(await htmlOf(file({ pieces: [{ text: 'The boat\x92s “name”'.replace(/[“”]/g, (sign) => (sign === '“' ? '\x93' : '\x94')) }, { text: ' — Чайка\rcosts ', wide: true }, { text: '\x805.\r' }] }))).toBe(paragraphs('The boat’s “name” — Чайка', 'costs €5.'))
  })

  it('contains links, breaks and hyphens, but no field instructions', async () => {
    expect(await htmlOf(file({ pieces: [{ text: 'See \x13 HYPERLINK "https://site.example/a" \\l "b" \x14here\x15, page \x13 PAGEREF x \x142\x15 of \x13 NUMPAGES \x159.\x0bNext line\x1e\x0cOther page\r' }] }))).toBe(paragraphs('See <a href="https://site.example/a#b">here</a>, page 2 of 9.<br>Next line-', 'Other page'))
  })

  it('contains characters of symbol fonts as the symbols they stand for', async () => {
    const fonts = ['Symbol', 'Wingdings', 'Webdings']
    const symbol = (font: number, code: number): readonly number[] => [0x09, 0x6a, font, 0, code, 0xf0]
    expect(await htmlOf(file({ pieces: [{ text: '(\r' }], letters: symbol(0, 0x6d), fonts }))).toBe(paragraphs('μ'))
    expect(await htmlOf(file({ pieces: [{ text: '(\r' }], letters: symbol(1, 0xfc), fonts }))).toBe(paragraphs('✓'))
    expect(await htmlOf(file({ pieces: [{ text: 'x ≥ \uf0b3\r'.replace('≥', '='), wide: true }], letters: [0x4f, 0x4a, 0, 0], fonts }))).toBe(paragraphs('x = ≥'))
    expect(await htmlOf(file({ pieces: [{ text: 'a\uf0b3b\r', wide: true }], letters: [0x4f, 0x4a, 2, 0], fonts }))).toBe(paragraphs('ab'))
  })

  it('contains nothing that is hidden or deleted', async () => {
    expect(await htmlOf(file({ pieces: [{ text: 'Nobody sees this.\r' }], letters: [0x3c, 0x08, 1] }))).toBe('')
    expect(await htmlOf(file({ pieces: [{ text: 'It was here.\r' }], letters: [0x00, 0x08, 1] }))).toBe('')
    expect(await htmlOf(file({ pieces: [{ text: 'Loud.\r' }], letters: [0x35, 0x08, 1] }))).toBe(paragraphs('<strong>Loud.</strong>'))
  })
})

it.each<readonly [string, Parts, string]>([
  ['locked by a password', { pieces: [{ text: 'x\r' }], flags: 0x100 }, 'encrypted'],
  ['of Word 95', { pieces: [{ text: 'x\r' }], sign: 0xa5dc }, 'unknown'],
  ['without its table', { pieces: [{ text: 'x\r' }], table: '1Table' }, 'broken'],
])('a file is reported as %s', async (_, parts, problem) => {
  expect(await htmlOf(file(parts))).toBe(problem)
})

it('a file with more letters than are read says so', async () => {
  const reply = await readDocument(file({ pieces: [{ text: 'x'.repeat(6_000_000) }, { text: 'y'.repeat(4_000_000) }, { text: 'z\r' }] }))
  expect('converted' in reply && reply.converted.warnings).toEqual(['The document holds more text than is returned; its end is missing.'])
})

describe('a broken file', () => {
  it('is read as far as possible, or refused, wherever it is cut or changed', async () => {
    let seed = 1
    const random = (below: number): number => (seed = (seed * 48_271) % 0x7fff_ffff) % below
    const outcomes = new Set<string>()
    for (let i = 0; i < 150; i++) {
      const bytes = Buffer.from(i % 3 === 0 ? minutes.subarray(0, random(minutes.length)) : minutes)
      for (let k = 0; k < 1 + random(20) && bytes.length > 1; k++) bytes[512 + random(bytes.length)] = random(256)
      const reply = await readDocument(bytes)
      outcomes.add('converted' in reply ? 'read' : reply.problem)
    }
    expect(outcomes).toContain('read')
    expect([...outcomes].every((outcome) => ['read', 'broken', 'unknown', 'encrypted', 'too-large'].includes(outcome))).toBe(true)
  })

  it('costs linear time', async () => {
    const many = file({ pieces: [{ text: `${'\x13 A \x14'.repeat(60)}${'x\x1e'.repeat(150_000)}\r` }] })
    const cells = file({ pieces: [{ text: 'x\x07'.repeat(150_000) }] })
    const before = process.cpuUsage()
    const lengths = [(await htmlOf(many)).length, (await htmlOf(cells)).length]
    const { user, system } = process.cpuUsage(before)
    expect(lengths.every((length) => length > 300_000)).toBe(true)
    expect((user + system) / 1000).toBeLessThan(5_000)
  })
})
