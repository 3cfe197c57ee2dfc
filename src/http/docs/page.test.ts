import { expect, it } from 'vitest'
import { docsPage } from './page.ts'
import { openApi } from '../openapi.ts'

const page = docsPage(openApi('1.2.3'))
/** The text of a section of the page, without tags. */
const sectionOf = (id: string): string => page.slice(page.indexOf(`<section id="${id}">`)).split('</section>', 1)[0]?.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ') ?? ''

it('the page describes each format and action with its options', () => {
  expect(sectionOf('schema-Format')).toContain('screenshot A screenshot of the page. Field Type Meaning fullPage boolean (default false ) Capture the whole page instead of the viewport.')
  expect(sectionOf('schema-Action')).toContain('wait Wait for a time or an element. Field Type Meaning milliseconds integer (minimum 1,')
  expect(sectionOf('schema-Parser')).toMatch(/pdf \| image , or an object: pdf Convert PDF files\. .* image Read the text in pictures/)
})

it('the page contains the targets of all its internal links', () => {
  const places = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  const links = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id)
  expect(links.length).toBeGreaterThan(100)
  expect(links.filter((id) => !places.has(id))).toEqual([])
})

it('text in backticks is shown as code', () => {
  expect(page).toContain('a soft 404 or an empty shell')
  expect(page).toContain('Answer <code>SCRAPE_SITE_ERROR</code> if the page')
  expect(page.replace(/<style>[\s\S]*?<\/style>/, '')).not.toContain('`')
})
