/** Watches a job with the official client and prints what it received: `node watch.mjs <base> <key> <kind> <id>`. */
import { Firecrawl } from 'firecrawl'

const [base, key, kind, id] = process.argv.slice(2)
const told = { socket: typeof WebSocket === 'function', node: process.versions.node, documents: [], errors: [], status: null }
const watcher = new Firecrawl({ apiKey: key, apiUrl: base }).watcher(id, { kind, pollInterval: 1, timeout: 30 })
watcher.on('document', (document) => told.documents.push(document.markdown ?? ''))
watcher.on('error', (error) => told.errors.push(error.error))
const done = new Promise((resolve) => {
  watcher.on('done', (state) => {
    told.status = state.status
    resolve()
  })
})
await watcher.start()
await done
watcher.close()
console.log(JSON.stringify(told))
