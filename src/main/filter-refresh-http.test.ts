import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { filterLists } from '../browser/index.ts'
import type { Engine } from '../domain/pages/capture.ts'
import { loadConfig } from './settings/config.ts'
import { refreshLists } from './filter-refresh.ts'
import { outbound, type Outbound } from './parts/outbound.ts'

const rules = (from: number): string => Array.from({ length: 20_000 }, (_, n) => `||ads${from + n}.example^\n`).join('')
const former = `[Adblock Plus 2.0]\n${rules(0)}`
const newer = `[Adblock Plus 2.0]\n${rules(7)}`
const plain = { 'content-type': 'text/plain' }

let folder: string
let server: Server
let way: Outbound
let events: string[]
let answer: (response: ServerResponse) => void
const listPath = (): string => join(folder, 'lists', 'a.txt')

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trawl-lists-'))
  mkdirSync(join(folder, 'lists'))
  writeFileSync(listPath(), former)
  const old = new Date(Date.now() - 8 * 86_400_000)
  utimesSync(listPath(), old, old)
  events = []
  server = createServer((_request, response) => answer(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  await way.close()
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Refreshes through the client of the service, which may reach the test server if `open`. */
async function refresh(open = true): Promise<void> {
  const { port } = server.address() as AddressInfo // a TCP server's address
  way = outbound(loadConfig(open ? { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${port}` } : {}), { now: Date.now }, () => undefined)
  const engine = way.engines[0] as Engine // the HTTP engine
  await refreshLists({ sources: { 'a.txt': `http://127.0.0.1:${port}/a.txt` }, folder, engine, now: Date.now, log: (event) => void events.push(event) })
}

it('a list is fetched through the egress guard, compressed, and then used', async () => {
  answer = (response) => void response.writeHead(200, { ...plain, 'content-encoding': 'gzip' }).end(gzipSync(newer))
  await refresh()
  expect([readFileSync(listPath(), 'utf8') === newer, readdirSync(join(folder, 'lists')), events]).toEqual([true, ['a.txt'], ['filter-list-refreshed']])
  const lists = filterLists({ lists: folder, folder, log: () => undefined })
  await lists.ready()
  const matches = (host: string): boolean | undefined => lists.matcher()?.({ url: `https://${host}/x.js`, kind: 'Script', pageUrl: 'https://news.example/' })
  expect([matches('ads20003.example'), matches('ads1.example')]).toEqual([true, false])
  await lists.close()
})

it.each<readonly [string, typeof answer, string]>([
  ['that unpacks to more than is read', (response) => void response.writeHead(200, { ...plain, 'content-encoding': 'gzip' }).end(gzipSync(Buffer.concat([Buffer.from('[Adblock Plus 2.0]\n'), Buffer.alloc(60e6, 'x')]))), 'filter-list-refused'],
  ['of more than any list has', (response) => void response.writeHead(200, plain).end(`[Adblock Plus 2.0]\n${rules(0).repeat(50)}`), 'filter-list-refused'],
  ['of noise', (response) => void response.writeHead(200, plain).end(Buffer.alloc(600_000, 0x9d)), 'filter-list-refused'],
  ['that begins as a list and is noise', (response) => void response.writeHead(200, plain).end(Buffer.concat([Buffer.from('[Adblock Plus 2.0]\n'), Buffer.alloc(600_000, '\0\xff', 'latin1')])), 'filter-list-refused'],
  ['that ends before it should', (response) => void (response.writeHead(200, { ...plain, 'content-length': newer.length }), response.write(newer.slice(0, 300_000), () => response.destroy())), 'filter-list-not-refreshed'],
  ['of which little is left, whatever the server says', (response) => void response.writeHead(200, plain).end(newer.slice(0, 9_000)), 'filter-list-refused'],
  ['that is compressed and cut', (response) => void response.writeHead(200, { ...plain, 'content-encoding': 'gzip' }).end(gzipSync(newer).subarray(0, 20_000)), 'filter-list-refused'],
  ['that is not there', (response) => void response.writeHead(404, plain).end(newer), 'filter-list-refused'],
  ['that leads to a page for logging in', (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><h1>Log in</h1>'), 'filter-list-refused'],
  ['of a server that hangs up', (response) => void response.destroy(), 'filter-list-not-refreshed'],
])('the previous list is kept after %s', async (_name, given, event) => {
  answer = given
  await refresh()
  expect([readFileSync(listPath(), 'utf8') === former, readdirSync(join(folder, 'lists')), events]).toEqual([true, ['a.txt'], [event]])
})

it('a list is not fetched from an address that pages may not be fetched from', async () => {
  let asked = 0
  answer = (response) => void (asked++, response.end(newer))
  await refresh(false)
  expect([asked, events, readFileSync(listPath(), 'utf8') === former]).toEqual([0, ['filter-list-not-refreshed'], true])
})
