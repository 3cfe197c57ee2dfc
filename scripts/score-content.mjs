// The built reading as a module for a scorer of main-content extraction: `extract(html, url)` returns `{ markdown }`.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readDefaults } from './lib/read-defaults.mjs'

const built = resolve(import.meta.dirname, process.env['TRAWL_DIST'] ?? '../dist', 'content/reading.js')
const { read } = await import(pathToFileURL(built).href)

export function extract(html, url) {
  const address = url ?? 'http://localhost/'
  const capture = {
    requestedUrl: address, url: address, status: 200, headers: [['content-type', 'text/html; charset=utf-8']],
    body: Buffer.from(html, 'utf8'), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0,
  }
  const reading = read(capture, readDefaults)
  return { markdown: reading.markdown() }
}
