#!/usr/bin/env node
/**
 * Measures what a viewer of a session gets: `node scripts/bench/live.mjs liveViewUrl [seconds]`. The page of the
 * session should be moving.
 */
import { pathToFileURL } from 'node:url'
import { WebSocket } from 'ws'

/**
 * Views a session for some seconds. Returns the time to its first picture in milliseconds, and the pictures per second.
 */
export function lookAt(url, seconds = 5) {
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const socket = new WebSocket(url.replace(/^http/, 'ws'))
    let first = 0
    let pictures = 0
    let bytes = 0
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the session ended')))
    socket.on('message', (data, binary) => {
      if (!binary) return
      socket.send('ok')
      bytes += data.length
      if (first !== 0) return void pictures++
      first = performance.now()
      setTimeout(() => {
        const passed = (performance.now() - first) / 1_000
        socket.removeAllListeners('close')
        socket.close()
        resolve({ firstPictureMs: Math.round(first - began), picturesPerSecond: Math.round((pictures / passed) * 10) / 10, kilobytesEach: Math.round(bytes / (pictures + 1) / 1_024) })
      }, seconds * 1_000)
    })
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [, , url, seconds = '5'] = process.argv
  if (url === undefined) {
    console.error('usage: node scripts/bench/live.mjs liveViewUrl [seconds]')
    process.exit(2)
  }
  console.log(JSON.stringify(await lookAt(url, Number(seconds))))
}
