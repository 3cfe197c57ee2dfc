/**
 * A minimal crawler: one thread that fetches pages over persistent connections and follows their links: `follow.mjs URL
 * AT_ONCE`.
 */
import { Agent, get } from 'node:http'
import { Parser } from 'htmlparser2'

const [start, atOnce] = [process.argv[2], Number(process.argv[3])]
const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
const found = new Set([start])
const waiting = [start]
let [running, done] = [0, 0]

function linksOf(html, base) {
  const parser = new Parser({
    onopentag(name, { href }) {
      if (name !== 'a' || href === undefined) return
      const url = new URL(href, base)
      url.hash = ''
      if (!url.pathname.startsWith('/article/') || found.has(url.href)) return
      found.add(url.href)
      waiting.push(url.href)
    },
  })
  parser.end(html)
}

function fetchOne(url) {
  running += 1
  get(url, { agent }, (response) => {
    const chunks = []
    response.on('data', (chunk) => chunks.push(chunk))
    response.on('end', () => {
      linksOf(Buffer.concat(chunks).toString(), url)
      running -= 1
      done += 1
      more()
    })
  })
}

function more() {
  while (running < atOnce && waiting.length > 0) fetchOne(waiting.pop())
  if (running > 0) return
  const used = process.cpuUsage(before)
  process.send?.({ done, perSecond: done / ((performance.now() - began) / 1000), cpuSPer1000: (used.user + used.system) / 1_000 / done }, () => process.exit(0))
}

const before = process.cpuUsage()
const began = performance.now()
more()
