import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { read } from '../../src/content/reading.ts'
import { readDefaults } from '../../src/domain/pages/reading.ts'
import { type Structure, structureOfHtml, structureOfMarkdown } from './structure.ts'

/**
 * Page sets for extraction are stored beside the project, or where the variable says. Without them, only the project's
 * own pages are tested.
 */
const root = fileURLToPath(new URL('../..', import.meta.url))
const corpora = process.env['TRAWL_TEST_CORPORA'] ?? join(root, '../shared/corpora/extraction')
const every = 40
const longest = 600_000

interface Compared {
  readonly url: string
  readonly html: Structure
  readonly markdown: Structure
}

function compared(url: string, body: string): Compared {
  const capture = { requestedUrl: url, url, status: 200, headers: [['content-type', 'text/html; charset=utf-8']] as const, body: Buffer.from(body), engine: 'http' as const, proxy: 'basic' as const, tlsVerified: true, truncated: false, at: 0 }
  const reading = read(capture, readDefaults)
  return { url, html: structureOfHtml(reading.html(), url), markdown: structureOfMarkdown(reading.markdown()) }
}

interface Corpus {
  pages(folder: string, set: string): Iterable<{ readonly url?: string }>
  htmlOf(page: unknown): string
}

const own = ['headings', 'lists', 'links', 'code-language', 'blockquotes', 'emphasis', 'definition-list', 'list-items-with-blocks']

async function comparedPages(): Promise<readonly Compared[]> {
  const pages = own.map((name) => compared(`https://site.example/${name}`, readFileSync(join(root, 'fixtures/pages', name, 'input.html'), 'utf8')))
  if (existsSync(corpora)) return [...pages, ...(await ofCorpora())]
  process.stderr.write(`No page sets at ${corpora} (TRAWL_TEST_CORPORA): the structure of their markdown is not compared.\n`)
  return pages
}

async function ofCorpora(): Promise<readonly Compared[]> {
  const corpus: Corpus = await import(new URL('../../scripts/extractor/corpus.mjs', import.meta.url).href)
  const found: Compared[] = []
  for (const set of ['wcxb', 'aeb']) {
    let at = 0
    for (const page of corpus.pages(corpora, set)) {
      const html = at++ % every === 7 ? corpus.htmlOf(page) : ''
      if (html !== '' && html.length <= longest) found.push(compared(page.url ?? 'https://site.example/', html))
    }
  }
  return found
}

/** The differing pages, with the first difference. */
function differing(pages: readonly Compared[], differs: (page: Compared) => unknown): readonly string[] {
  return pages.flatMap((page) => {
    const what = differs(page)
    return what === undefined ? [] : [`${page.url} ${JSON.stringify(what)?.slice(0, 300)}`]
  })
}

const first = (wanted: readonly string[], got: readonly string[]): unknown => {
  const at = wanted.findIndex((one, i) => one !== got[i])
  if (at < 0 && wanted.length === got.length) return undefined
  return [wanted[at < 0 ? wanted.length : at], got[at < 0 ? wanted.length : at]]
}

/** A link around a picture becomes two links in markdown. */
const lost = ({ html, markdown }: Compared): unknown => html.links.find((link) => !markdown.links.includes(link) && !markdown.links.some((part) => link.startsWith(part)))

it('markdown of all kinds of pages, read by another parser, has the structure of their HTML', { timeout: 600_000 }, async () => {
  const all = await comparedPages()
  expect(differing(all, ({ html, markdown }) => first(html.headings, markdown.headings))).toEqual([])
  expect(differing(all, ({ html, markdown }) => first(html.code, markdown.code))).toEqual([])
  expect(differing(all, lost)).toEqual([])
  // The two count differently when notes are moved to the end of the page, and when lists contain something between
  // their items.
  expect(differing(all, ({ html, markdown }) => first(html.items, markdown.items)).length).toBeLessThanOrEqual(all.length * 0.03)
})

it('a page whose markdown has lost something is detected', () => {
  const page = '<h2>One</h2><ul><li>two</li><li><ol><li>three</li></ol></li></ul><pre>four</pre><p><a href="https://a.example/">five</a></p>'
  const whole = '## One\n\n- two\n- 1. three\n\n```\nfour\n```\n\n[five](https://a.example/)\n'
  const html = structureOfHtml(page, 'https://site.example/')
  expect(structureOfMarkdown(whole)).toEqual(html)
  expect(html).toEqual({ headings: ['2 one'], items: ['0 two', '0 three', '1 three'], code: ['four'], links: ['https://a.example/ five'] })
  expect(structureOfMarkdown(whole.replace('## ', ''))).not.toEqual(html)
})
