import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startTrawl, type TestService } from '../service.ts'
import { faultsOfDeliveries, type TortureReceiver, tortureReceiver, type TortureSite, tortureSite, Watched } from '../torture/world.ts'

const secret = 'hush, not a word'
const pageCount = 12
const folders: string[] = []
const running: TestService[] = []
const receivers: TortureReceiver[] = []
let site: TortureSite

beforeAll(async () => {
  site = await tortureSite(pageCount)
})
afterAll(() => site.close())
afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.stop('SIGKILL')))
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-hooks-'))
  folders.push(folder)
  return folder
}

async function start(dataDir: string): Promise<TestService> {
  const settings = { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${new URL(site.url).port}`, TRAWL_WEBHOOK_ALLOW_PRIVATE_ADDRESSES: '127.0.0.1', TRAWL_WEBHOOK_SECRET: secret, TRAWL_WEBHOOK_RETRY_SCHEDULE_MS: Array.from({ length: 20 }, () => 500).join(','), TRAWL_CHROMIUM_PATH: '/none' }
  const service = await startTrawl({ dataDir, settings })
  running.push(service)
  return service
}

async function receive(...answer: Parameters<typeof tortureReceiver>): Promise<TortureReceiver> {
  const receiver = await tortureReceiver(...answer)
  receivers.push(receiver)
  return receiver
}

async function batchTo(receiver: TortureReceiver, service: TestService): Promise<Watched> {
  const { status, json } = await service.call('POST', '/v2/batch/scrape', { urls: site.pages, webhook: receiver.url, maxAge: 0, storeInCache: false })
  expect(status).toBe(200)
  return new Watched(json.id, 'batch/scrape')
}

describe('R14 every event is delivered', () => {
  it('R14 and a receiver that never answers delays no other', async () => {
    const service = await start(newFolder())
    const [dead, alive] = [await receive(() => undefined), await receive()]
    await (await batchTo(dead, service)).end(service)
    await expect.poll(() => dead.arrived.length, { timeout: 20_000 }).toBeGreaterThan(0)
    const job = await batchTo(alive, service)
    await expect.poll(() => faultsOfDeliveries(alive.arrived, job.id, pageCount), { timeout: 20_000 }).toEqual([])
  }, 60_000)

  it('R14 by the next process after a kill, with the same bytes under the same id', async () => {
    const dataDir = newFolder()
    let taking = false
    const receiver = await receive((response) => void response.writeHead(taking ? 204 : 500).end())
    const first = await start(dataDir)
    const job = await batchTo(receiver, first)
    await job.end(first)
    await expect.poll(() => receiver.arrived.length, { timeout: 20_000 }).toBeGreaterThan(pageCount)
    await first.stop('SIGKILL')
    const before = receiver.arrived.length
    taking = true
    await start(dataDir)
    const since = (): TortureReceiver['arrived'] => receiver.arrived.slice(before)
    await expect.poll(() => new Set(since().map(({ webhookId }) => webhookId)).size, { timeout: 20_000 }).toBe(pageCount + 2)
    expect(faultsOfDeliveries(receiver.arrived, job.id, pageCount)).toEqual([])
  }, 60_000)

  it("R14 but not to the target of a receiver's redirect", async () => {
    const service = await start(newFolder())
    const other = await receive()
    const leading = await receive((response) => void response.writeHead(307, { location: other.url }).end())
    await (await batchTo(leading, service)).end(service)
    // A redirect is retried like any failure.
    await expect.poll(() => leading.arrived.filter(({ type }) => type.endsWith('started')).length, { timeout: 20_000 }).toBeGreaterThan(1)
    expect(other.arrived).toEqual([])
  }, 60_000)
})

describe('R15 what is delivered is signed', () => {
  it('R15 over the bytes that arrive', async () => {
    const service = await start(newFolder())
    const receiver = await receive()
    const job = await batchTo(receiver, service)
    await expect.poll(() => faultsOfDeliveries(receiver.arrived, job.id, pageCount), { timeout: 20_000 }).toEqual([])
    const signatures = receiver.arrived.map(({ headers }) => headers['x-service-signature'])
    expect(signatures).toEqual(receiver.arrived.map(({ body }) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`))
  }, 60_000)
})
