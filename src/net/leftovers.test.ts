import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { callFor, http2Site, listening, outcome, page, site, testFetcher } from '../../test/net/servers.ts'

// In its own file, and thus process: it checks everything that the process holds open.
it('a closed fetcher leaves no sockets', async () => {
  const http = await site((_request, response) => response.end('page'))
  const https = await http2Site((_request, response) => response.end('page'))
  const quiet = await listening(createServer((socket) => void socket.resume()))
  const handles = () => process.getActiveResourcesInfo().filter((name) => /TCP|UDP|GetAddrInfo/.test(name)).sort()
  const before = handles()
  const fetcher = testFetcher()
  const get = (url: string, signal?: AbortSignal) => outcome(fetcher.fetch({ ...page, url }, callFor(10_000, signal)))
  await Promise.all([get(`http://127.0.0.1:${http}/`), get(`https://127.0.0.1:${https}/`), get('http://127.0.0.1:1/'), get('https://127.0.0.1:1/')])
  const ended = ['http', 'https'].map((scheme) => get(`${scheme}://127.0.0.1:${quiet}/`, AbortSignal.timeout(50)))
  expect(await Promise.all(ended)).toEqual(['SCRAPE_TIMEOUT', 'SCRAPE_TIMEOUT'])
  await fetcher.close()
  await expect.poll(handles, { timeout: 3_000 }).toEqual(before)
})
