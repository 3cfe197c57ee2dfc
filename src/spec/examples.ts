import type { z } from 'zod'
import type { RouteName, routes } from './routes.ts'

/** A request that shows what a route is for. */
export interface Example<Body = object> {
  /** What it asks for, as a title. */
  readonly title: string
  readonly body: Body
}

type Routes = typeof routes
type BodyOf<Name extends RouteName> = Routes[Name] extends { readonly body: infer Body extends z.ZodType } ? z.input<Body> : never
type WithBody = { readonly [Name in RouteName]: Routes[Name] extends { readonly body: z.ZodType } ? Name : never }[RouteName]

const id = '01a21d04-ecf7-71f6-9ca2-2e0572fe098b'

const open: readonly Example<BodyOf<'browserCreate'>>[] = [{ title: 'A browser for ten minutes that keeps its cookies as `shop`', body: { ttl: 600, profile: { name: 'shop' } } }]
const execute: readonly Example<BodyOf<'browserExecute'>>[] = [
  { title: 'Code with Playwright', body: { code: "await page.goto('https://example.com/'); await page.title()" } },
  { title: 'The same in Python', body: { language: 'python', code: "await page.goto('https://example.com/')\nprint(await page.title())" } },
  { title: 'A command: what can be clicked?', body: { language: 'bash', code: 'agent-browser snapshot -i' } },
]

/** Requests for the documentation: some for each route that takes a body. */
export const examples: { readonly [Name in WithBody]: readonly Example<BodyOf<Name>>[] } = {
  scrape: [
    { title: 'A page as markdown, with its links', body: { url: 'https://example.com/', formats: ['markdown', 'links'] } },
    {
      title: 'Values by a schema',
      body: { url: 'https://example.com/products/1', formats: [{ type: 'json', schema: { type: 'object', properties: { name: { type: 'string' }, price: { type: 'number' } } } }] },
    },
    {
      title: 'Steps in the page, then a screenshot',
      body: { url: 'https://example.com/', actions: [{ type: 'click', selector: '#more' }, { type: 'wait', selector: '.details' }], formats: ['markdown', { type: 'screenshot', fullPage: true }] },
    },
    { title: 'What has changed since the last time', body: { url: 'https://example.com/', formats: ['markdown', { type: 'changeTracking', modes: ['git-diff'] }] } },
  ],
  parse: [{ title: 'The first ten pages of a PDF as markdown', body: { formats: ['markdown'], parsers: [{ type: 'pdf', maxPages: 10 }] } }],
  interact: [
    { title: 'Code on the page of an earlier scrape', body: { code: "await page.click('#more'); await page.title()" } },
    { title: 'A task in words', body: { prompt: 'Open the pricing page and list the plans with their prices.' } },
  ],
  browserCreate: open,
  interactCreate: open,
  browserExecute: execute,
  interactExecute: execute,
  batch: [
    { title: 'Two pages as markdown', body: { urls: ['https://example.com/', 'https://example.com/about'], formats: ['markdown'] } },
    { title: 'More pages for a running batch', body: { urls: ['https://example.com/news'], appendToId: id } },
  ],
  crawl: [
    { title: 'The first hundred pages of a site', body: { url: 'https://example.com/', limit: 100 } },
    {
      title: 'The documentation alone, each page to a webhook',
      body: { url: 'https://example.com/docs/', includePaths: ['^/docs/'], webhook: { url: 'https://hooks.example.com/pages', events: ['page', 'completed'] }, scrapeOptions: { formats: ['markdown'] } },
    },
  ],
  crawlPreview: [{ title: 'Options from a sentence', body: { url: 'https://example.com/', prompt: 'Only the blog, at most 50 pages' } }],
  map: [
    { title: 'All URLs of a site', body: { url: 'https://example.com/' } },
    { title: 'The ten that fit some words best', body: { url: 'https://example.com/', search: 'pricing plans', limit: 10 } },
  ],
  search: [
    { title: 'Five results', body: { query: 'web archive file formats', limit: 5 } },
    { title: 'Results of one site, scraped', body: { query: 'release notes', includeDomains: ['example.com'], scrapeOptions: { formats: ['markdown'] } } },
  ],
  feedback: [{ title: 'An answer that missed something', body: { endpoint: 'scrape', jobId: id, rating: 'partial', note: 'The table of prices is missing.' } }],
  searchFeedback: [{ title: 'A good answer', body: { rating: 'good' } }],
}
