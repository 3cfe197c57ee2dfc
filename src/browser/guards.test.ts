import { EventEmitter } from 'node:events'
import type { BrowserContext, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { guard } from './guards.ts'

/** A guarded page whose browser the test plays. */
async function guarded() {
  const sent: string[] = []
  const cdp = Object.assign(new EventEmitter(), {
    async send(method: string) {
      sent.push(method)
      return { targetInfo: { targetId: 't' } }
    },
  })
  const context = { newCDPSession: async () => cdp } as unknown as BrowserContext // what the guard uses of it
  const page = Object.assign(new EventEmitter(), { context: () => context, goto: async () => null }) as unknown as Page // what the guard uses of it
  const { failed } = await guard(page, context, { credentials: null, quiet: true })
  let why: unknown = null
  failed.catch((error: unknown) => (why = error))
  return {
    stopped: () => sent.includes('Emulation.setScriptExecutionDisabled'),
    why: async () => Promise.resolve().then(() => why),
    openWindows(count: number) {
      for (let i = 0; i < count; i++) cdp.emit('Page.windowOpen', {})
    },
  }
}

it('stops the scripts of a page that opens windows, and gives it up when they go on, though the driver knows none of them yet', async () => {
  const { openWindows, stopped, why } = await guarded()
  openWindows(19)
  expect(stopped()).toBe(false)
  openWindows(1)
  expect([stopped(), await why()]).toEqual([true, null])
  openWindows(19)
  expect(await why()).toBe(null)
  openWindows(1)
  expect(await why()).toMatchObject({ kind: 'flooding' })
})
