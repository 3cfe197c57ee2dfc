#!/usr/bin/env node
/**
 * Makes the documents that `documents.slow.ts` reads, with the programs that people use: `apt-get install pandoc
 * libreoffice-writer-nogui libreoffice-calc-nogui libreoffice-impress-nogui texlive-latex-recommended groff
 * chromium-headless-shell`.
 * Run it once: the documents are part of the repository. It does not overwrite existing files; `--all` makes all of
 * them again.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { crc32, deflateSync } from 'node:zlib'
import { CFB } from '@e965/xlsx'

const here = fileURLToPath(new URL('.', import.meta.url))
const source = (name) => join(here, 'sources', name)
const made = join(here, 'made')
const work = mkdtempSync(join(tmpdir(), 'documents-'))
const everything = process.argv.includes('--all')
const env = { ...process.env, SOURCE_DATE_EPOCH: '1772323200', HOME: work }

function run(program, args, cwd = work) {
  const { status, stderr, stdout } = spawnSync(program, args, { cwd, env, timeout: 300_000, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${stderr}${stdout}`)
}

/** A picture of one colour, larger than a tracking pixel. */
function picture() {
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(body) >>> 0)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    return Buffer.concat([length, body, sum])
  }
  const head = Buffer.from([0, 0, 0, 64, 0, 0, 0, 64, 8, 2, 0, 0, 0])
  const rows = Buffer.alloc(64 * (1 + 64 * 3), 90)
  for (let y = 0; y < 64; y++) rows[y * 193] = 0
  return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))])
}

const pandoc = (from, to, ...more) => (file) => run('pandoc', [source(from), '-s', '-t', to, '--resource-path', work, ...more, '-o', file])
/** LibreOffice chooses the name of its output. */
const office = (from, filter) => (file) => {
  const extension = file.slice(file.lastIndexOf('.') + 1)
  const out = join(work, 'office')
  mkdirSync(out, { recursive: true })
  run('soffice', ['--headless', '--convert-to', filter === undefined ? extension : `${extension}:${filter}`, '--outdir', out, from.startsWith('made/') ? join(here, from) : source(from)])
  renameSync(join(out, `${basename(from).replace(/\.[^.]+$/, '')}.${extension}`), file)
}
/** The presentation without the thumbnail of its first slide, which takes half a megabyte and is the last property. */
const presentation = (from) => (file) => {
  office(from, 'MS PowerPoint 97')(file)
  const compound = CFB.read(readFileSync(file), { type: 'buffer' })
  const entry = CFB.find(compound, '/\u0005SummaryInformation')
  const info = Buffer.from(entry.content)
  const start = info.readUInt32LE(44)
  const count = info.readUInt32LE(start + 4)
  const last = start + info.readUInt32LE(start + 4 + count * 8)
  info.writeUInt32LE(last - start, start)
  info.writeUInt32LE(count - 1, start + 4)
  entry.content = info.subarray(0, last)
  entry.size = last
  writeFileSync(file, CFB.write(compound, { type: 'buffer' }))
}
const tex = (from) => (file) => {
  for (let i = 0; i < 2; i++) run('pdflatex', ['-interaction=nonstopmode', '-jobname=out', source(from)])
  copyFileSync(join(work, 'out.pdf'), file)
}
const chromium = (from) => (file) => run('chromium-headless-shell', ['--no-sandbox', '--disable-gpu', '--no-pdf-header-footer', `--print-to-pdf=${file}`, `file://${source(from)}`])

const documents = {
  'pandoc-handbook.docx': pandoc('handbook.md', 'docx'),
  'pandoc-handbook.odt': pandoc('handbook.md', 'odt'),
  'pandoc-handbook.epub': pandoc('handbook.md', 'epub3', '--mathml'),
  'pandoc-handbook-2.epub': pandoc('handbook.md', 'epub2'),
  'pandoc-handbook.rtf': pandoc('handbook.md', 'rtf'),
  'pandoc-handbook.html': pandoc('handbook.md', 'html', '--mathml'),
  'pandoc-slides.pptx': pandoc('slides.md', 'pptx'),
  'pandoc-world.docx': pandoc('world.md', 'docx'),
  'pandoc-world.odt': pandoc('world.md', 'odt'),
  'pandoc-world.epub': pandoc('world.md', 'epub3'),
  'pandoc-world.rtf': pandoc('world.md', 'rtf'),
  'libreoffice-handbook.docx': office('made/pandoc-handbook.odt', 'MS Word 2007 XML'),
  'libreoffice-handbook.odt': office('made/pandoc-handbook.docx', 'writer8'),
  'libreoffice-handbook.rtf': office('made/pandoc-handbook.odt'),
  'libreoffice-handbook.epub': office('made/pandoc-handbook.odt'),
  'libreoffice-handbook.txt': office('made/pandoc-handbook.odt', 'Text (encoded):UTF8'),
  'libreoffice-page.docx': office('page.html', 'MS Word 2007 XML'),
  'libreoffice-page.odt': office('page.html', 'writer8'),
  'libreoffice-world.docx': office('made/pandoc-world.odt', 'MS Word 2007 XML'),
  'libreoffice-world.rtf': office('made/pandoc-world.odt'),
  'libreoffice-prices.xlsx': office('prices.fods', 'Calc MS Excel 2007 XML'),
  'libreoffice-prices.xls': office('prices.fods', 'MS Excel 97'),
  'libreoffice-prices.ods': office('prices.fods', 'calc8'),
  'libreoffice-prices.csv': office('prices.fods'),
  'libreoffice-slides.odp': office('made/pandoc-slides.pptx'),
  'libreoffice-slides.pptx': office('made/libreoffice-slides.odp', 'Impress MS PowerPoint 2007 XML'),
  'libreoffice-slides.ppt': presentation('made/libreoffice-slides.odp'),
  'libreoffice-talk.ppt': presentation('talk.fodp'),
  'tex-report.pdf': tex('report.tex'),
  'tex-columns.pdf': tex('columns.tex'),
  'tex-paper.pdf': tex('paper.tex'),
  'tex-deck.pdf': tex('deck.tex'),
  'pandoc-deck.pptx': pandoc('deck.md', 'pptx'),
  'libreoffice-deck.pdf': office('made/pandoc-deck.pptx'),
  'groff-paper.pdf': (file) => run('sh', ['-c', 'groff -ms -t -Tpdf "$1" > "$2"', 'sh', source('paper.ms'), file]),
  'chromium-page.pdf': chromium('page.html'),
  'chromium-handbook.pdf': (file) => {
    run('pandoc', [source('handbook.md'), '-s', '-t', 'html', '--resource-path', work, '--self-contained', '-o', join(work, 'handbook.html')])
    run('chromium-headless-shell', ['--no-sandbox', '--disable-gpu', '--no-pdf-header-footer', `--print-to-pdf=${file}`, `file://${join(work, 'handbook.html')}`])
  },
}

try {
  mkdirSync(made, { recursive: true })
  writeFileSync(join(work, 'plan.png'), picture())
  for (const [name, make] of Object.entries(documents)) {
    const file = join(made, name)
    if (existsSync(file) && !everything) continue
    make(file)
    process.stdout.write(`${name}\n`)
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
