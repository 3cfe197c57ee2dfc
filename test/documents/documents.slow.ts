import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { read } from '../../src/content/reading.ts'
import { readDocument } from '../../src/parsers/documents/read.ts'
import { readPdf } from '../../src/parsers/pdf/read.ts'

const folder = fileURLToPath(new URL('./made', import.meta.url))
const types: Readonly<Record<string, string>> = { csv: 'text/csv', txt: 'text/plain', html: 'text/html' }

function page(body: Uint8Array, type: string): string {
  const capture = { requestedUrl: 'upload:file', url: 'upload:file', status: 200, headers: [['content-type', `${type}; charset=utf-8`] as const], body, engine: 'http' as const, proxy: 'basic' as const, tlsVerified: true, truncated: false, at: 0 }
  return read(capture, { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true, blockAds: false }).markdown()
}

/** The markdown of a file, preceded by its metadata. */
async function golden(name: string): Promise<string> {
  const bytes = readFileSync(join(folder, name))
  const extension = name.slice(name.lastIndexOf('.') + 1)
  const type = types[extension]
  if (type !== undefined) return page(bytes, type)
  if (extension === 'pdf') {
    const reply = await readPdf({ bytes, order: { mode: 'auto', pages: false, pageMarkers: false, html: false } })
    if (!('document' in reply)) throw new Error(JSON.stringify(reply))
    const { metadata, numPages, warnings, markdown } = reply.document
    return `${JSON.stringify({ metadata, numPages, warnings }, null, 2)}\n\n${markdown}\n`
  }
  const reply = await readDocument(bytes)
  if (!('converted' in reply)) throw new Error(JSON.stringify(reply))
  const { metadata, warnings, html } = reply.converted
  return `${JSON.stringify({ metadata, warnings }, null, 2)}\n\n${page(Buffer.from(`<!doctype html><body>${html}</body>`), 'text/html')}`
}

const names = readdirSync(folder)

it('there are documents of each program', () => {
  expect(names.length).toBeGreaterThanOrEqual(30)
  expect(new Set(names.map((name) => name.split('-')[0]))).toEqual(new Set(['chromium', 'groff', 'libreoffice', 'pandoc', 'tex']))
})

// Each golden file was proofread beside its document before it was added. Known shortcomings: the links of
// tex-report.pdf, formulas of chromium-handbook.pdf and
// tex-paper.pdf, and headings and lists of libreoffice-handbook.epub, which are
// paragraphs there.
it.each(names)('%s is converted to its golden file', async (name) => {
  await expect(await golden(name)).toMatchFileSnapshot(`./golden/${name}.md`)
})
