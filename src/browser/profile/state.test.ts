import { EventEmitter } from 'node:events'
import { runInNewContext } from 'node:vm'
import type { Browser, BrowserContext } from 'playwright-core'
import { expect, it } from 'vitest'
import { rememberWire, type Wire } from '../protocol/wire.ts'
import { takeScript } from './script.ts'
import { takeState } from './state.ts'

/** The storage of a browser: its own names are no properties of what it stores. */
class FakeStorage {
  private readonly entries: readonly (readonly [string, string])[]
  constructor(...entries: readonly (readonly [string, string])[]) {
    this.entries = entries
    for (const [name, value] of entries) if (!(name in FakeStorage.prototype)) Object.assign(this, { [name]: value })
  }
  get length(): number {
    return this.entries.length
  }
  key(at: number): string | null {
    return this.entries[at]?.[0] ?? null
  }
  getItem(wanted: string): string | null {
    return this.entries.find(([name]) => name === wanted)?.[1] ?? null
  }
}

it('takes what is stored under the names that the storage itself has', async () => {
  const localStorage = new FakeStorage(['cart', '1'], ['length', '2'], ['key', '3'])
  const taken: unknown = await runInNewContext(takeScript(1_000), { localStorage, indexedDB: { databases: async () => [] } })
  expect(taken).toMatchObject({ localStorage: [{ name: 'cart', value: '1' }, { name: 'length', value: '2' }, { name: 'key', value: '3' }] })
})

/** A context whose pages go nowhere; and where they were to go. */
function offlineContext(): { readonly context: BrowserContext; readonly asked: string[] } {
  const asked: string[] = []
  const browser = {} as Browser // what knows its wire
  rememberWire(browser, { opening: async (work: () => Promise<unknown>) => ({ opened: await work(), targetId: null }) } as unknown as Wire) // what is used of it
  const page = {
    context: () => context,
    async goto(url: string) {
      asked.push(url)
      throw new Error('offline')
    },
    close: async () => undefined,
  }
  const context: unknown = { browser: () => browser, cookies: async () => [], newPage: async () => page, newCDPSession: async () => Object.assign(new EventEmitter(), { send: async () => ({ targetInfo: { targetId: 't' } }) }) }
  return { context: context as BrowserContext, asked } // what is used of it
}

it('says of how many sites nothing was taken, as there were too many', async () => {
  const { context, asked } = offlineContext()
  const origins = Array.from({ length: 43 }, (_, number) => `https://${number}.example`)
  const { warnings } = await takeState(context, { before: { cookies: [], origins: [] }, origins, failed: new Set(['https://0.example']) }, () => 1_000)
  expect([asked.length, asked[0], warnings[0]]).toEqual([40, 'https://1.example/', 'What 2 of 42 sites and frames stored in the browser was not taken, as only the first 40 are; their profile is as it was.'])
})
