import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from '../html/parse.ts'
import { baseOf } from '../html/address.ts'
import { toMarkdown } from './index.ts'

/** `fixtures/snippets/<topic>.txt`: cases of `=== name`, HTML, a line with just `---`, and the markdown. */
const folder = fileURLToPath(new URL('../../../fixtures/snippets', import.meta.url))

function casesOf(file: string): readonly (readonly [name: string, html: string, markdown: string])[] {
  return readFileSync(join(folder, file), 'utf8')
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const [, name = '', html = '', markdown = ''] = /^(.*)\n([^]*?)\n---\n([^]*)$/.exec(part) ?? []
      return [name, html, markdown]
    })
}

const all = readdirSync(folder).map((file) => [file.replace('.txt', ''), casesOf(file)] as const) // pairs of a topic and its cases

it('has at least a hundred and twenty cases', () => {
  expect(all.reduce((sum, [, cases]) => sum + cases.length, 0)).toBeGreaterThanOrEqual(120)
})

describe.each(all)('markdown of %s', (_, cases) => {
  it.each(cases)('%s', (_, html, markdown) => {
    const { document } = parse(html)
    expect(toMarkdown(document, { baseUrl: baseOf(document, 'https://site.example/dir/page'), removeBase64Images: true })).toBe(markdown)
  })
})
