// Main-content scoring: a module for an extraction scorer (`extract(html, url)` answers `{ markdown, html, confidence }`), over the
// built reading. With a scorer and corpora in a sibling folder, `node scripts/score-content.mjs` runs them; it says so when they are absent.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const built = resolve(import.meta.dirname, process.env['TRAWL_DIST'] ?? '../dist', 'content/reading.js')
const { read } = await import(pathToFileURL(built).href)

const options = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true, blockAds: true }

export function extract(html, url) {
  const address = url ?? 'http://localhost/'
  const capture = {
    requestedUrl: address, url: address, status: 200, headers: [['content-type', 'text/html; charset=utf-8']],
    body: Buffer.from(html, 'utf8'), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0,
  }
  const reading = read(capture, options)
  return { markdown: reading.markdown() }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const scorer = resolve(import.meta.dirname, '../../shared/tools/score-extraction/score.mjs')
  if (!existsSync(scorer)) {
    console.log('No extraction scorer in the sibling folder: nothing scored.')
  } else {
    const asked = process.argv.slice(2)
    const run = [scorer, '--module', process.argv[1], ...(asked.includes('--sets') ? [] : ['--sets', 'wcxb,aeb,trafilatura']), ...asked]
    process.exitCode = spawnSync(process.execPath, run, { stdio: 'inherit' }).status ?? 1
  }
}
