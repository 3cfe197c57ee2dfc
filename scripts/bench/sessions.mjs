/**
 * Scrapes with actions, and live sessions: through the service and in a bare browser with the same waiting, in turns.
 */
import { quantile, send } from './client.mjs'
import { lookAt } from './live.mjs'
import { bareBrowser, visitOne } from './pages.mjs'

const actions = [{ type: 'scroll', direction: 'down' }, { type: 'executeJavascript', script: 'document.title' }, { type: 'click', selector: 'a', all: false }]
/** A page that keeps moving, for viewers. */
const moving = "await page.evaluate(() => { let n = 0; setInterval(() => { document.body.style.background = n++ % 2 ? 'white' : 'silver' }, 20) }); await page.title()"
const liveSeconds = 3

async function asked(url, body) {
  const answer = await send(url, body)
  if (answer.status !== 200) throw new Error(`${url} was answered ${answer.status}: ${answer.body.toString().slice(0, 300)}`)
  return JSON.parse(answer.body.toString())
}

async function ran(service, id, code) {
  const answer = await asked(`${service.url}/v2/scrape/${id}/interact`, { code, timeout: 120 })
  if (!answer.success) throw new Error(`Code failed: ${answer.error}`)
  return answer
}

/** The duration of the work in milliseconds. */
async function taken(work) {
  const from = performance.now()
  await work()
  return performance.now() - from
}

/** Medians over `rounds` turns in milliseconds, for ours and for the bare browser, and what a viewer gets. */
export async function sessions(service, site, rounds) {
  const ours = { acting: [], opening: [], running: [] }
  const bare = { acting: [], opening: [], running: [] }
  const browser = await bareBrowser()
  const stop = (id) => send(`${service.url}/v2/browser/${id}`, undefined, 'DELETE')
  let view
  try {
    // The first round does not count, because browsers start in it.
    for (let round = 0; round <= rounds; round++) {
      const url = `${site.url}/page/${round}`
      const counted = round === 0 ? () => undefined : (list, ms) => list.push(ms)
      counted(bare.acting, await taken(() => visitOne(browser.use, url, { actions })))
      counted(ours.acting, await taken(() => asked(`${service.url}/v2/scrape`, { url, formats: ['rawHtml'], actions, maxAge: 0 })))
      const { data } = await asked(`${service.url}/v2/scrape`, { url, formats: ['rawHtml'] })
      const id = data.metadata.scrapeId
      let session
      counted(ours.opening, await taken(async () => (session = await ran(service, id, 'page.title()'))))
      counted(bare.opening, await taken(() => visitOne(browser.use, url, { stays: true, after: (page) => page.title() })))
      for (let again = 0; again < 5; again++) counted(ours.running, await taken(() => ran(service, id, 'page.title()')))
      await visitOne(browser.use, url, { stays: true, after: async (page) => {
        for (let again = 0; again < 5; again++) counted(bare.running, await taken(() => page.title()))
      } })
      if (round === rounds) {
        await ran(service, id, moving)
        view = await lookAt(session.liveViewUrl, liveSeconds)
      }
      await stop(session.sessionId)
    }
  } finally {
    await browser.stop()
  }
  const median = (lists) => Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, quantile(list, 0.5)]))
  return { ours: median(ours), bare: median(bare), view }
}
