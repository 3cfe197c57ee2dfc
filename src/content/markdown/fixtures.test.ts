import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from '../html/parse.ts'
import { toMarkdown } from './index.ts'

/**
 * `fixtures/pages/<case>`: `input.html`, `options.json` (optional) and `expected.md`. `UPDATE=1` accepts the current
 * output, except on CI.
 */
const folder = fileURLToPath(new URL('../../../fixtures/pages', import.meta.url))
const update = process.env['UPDATE'] === '1'
const cases = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'input.html')))

function optionsOf(path: string): { baseUrl: string; removeBase64Images: boolean } {
  const given: unknown = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  return { baseUrl: 'https://site.example/dir/page', removeBase64Images: true, ...(given instanceof Object ? given : {}) }
}

describe('markdown of fixture pages', () => {
  it('has at least forty cases, and accepts nothing unseen on CI', () => {
    expect(cases.length).toBeGreaterThanOrEqual(40)
    expect(update && process.env['CI'] !== undefined).toBe(false)
  })

  it.each(cases)('is as expected: %s', (name) => {
    const html = readFileSync(join(folder, name, 'input.html'), 'utf8')
    const markdown = toMarkdown(parse(html).document, optionsOf(join(folder, name, 'options.json')))
    const expected = join(folder, name, 'expected.md')
    if (update && process.env['CI'] === undefined) writeFileSync(expected, markdown)
    expect(markdown).toBe(readFileSync(expected, 'utf8'))
    expect(toMarkdown(parse(html).document.children, optionsOf(join(folder, name, 'options.json')))).toBe(markdown)
  })
})
