/** A small HTTP client, and statistics of its requests. */
import { Agent, request } from 'node:http'
import { key } from './processes.mjs'

const agent = new Agent({ keepAlive: true, maxSockets: 128 })

/** Sends a request; returns status and body. */
export function send(url, json, method = json === undefined ? 'GET' : 'POST') {
  const body = json === undefined ? undefined : Buffer.from(JSON.stringify(json))
  const headers = { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json', 'content-length': body.length }) }
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent, method, headers }, (response) => {
      const chunks = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => resolve({ status: response.statusCode, body: Buffer.concat(chunks) }))
      response.on('error', reject)
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** The quantile of the numbers at this share. */
export function quantile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
}

/** Runs `work(i)` for each i below `count`, `atOnce` at a time; returns the milliseconds of each, and the rate. */
export async function timed(count, atOnce, work) {
  const ms = []
  let next = 0
  const started = performance.now()
  const lane = async () => {
    while (next < count) {
      const i = next++
      const from = performance.now()
      await work(i)
      ms.push(performance.now() - from)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, lane))
  return { ms, perSecond: count / ((performance.now() - started) / 1000) }
}
