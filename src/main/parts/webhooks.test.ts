import { afterAll, expect, it } from 'vitest'
import { loadConfig } from '../settings/config.ts'
import { webhooks, type WebhookParts } from './webhooks.ts'

const open: { close(): Promise<void> | void }[] = []
afterAll(async () => {
  for (const one of open) await one.close()
})

/** What is said to a client that names this receiver. */
async function said(url: string, allow = ''): Promise<unknown> {
  const parts = { out: { own: { has: () => false } }, clock: { now: () => 0 }, log: () => undefined, secretOf: () => null, onChange: () => () => undefined } as unknown as WebhookParts // what checking a receiver asks of them
  const hooks = webhooks(loadConfig(allow === '' ? {} : { TRAWL_WEBHOOK_ALLOW_PRIVATE_ADDRESSES: allow }), parts)
  open.push(hooks)
  return hooks.assertReceiver({ url, headers: {} }, new AbortController().signal).then(() => 'taken', (error: unknown) => (error instanceof Error ? error.message : error))
}

it.each([25, 465, 587, 6667])('a receiver at port %i, which is of another protocol, is refused unless the operator allows it', async (port) => {
  const url = `http://93.184.216.34:${port}/`
  expect(await said(url)).toMatch(/port.*TRAWL_WEBHOOK_ALLOW_PRIVATE_ADDRESSES/)
  expect(await said(url, `93.184.216.34:${port}`)).toBe('taken')
  expect(await said('http://93.184.216.34:8025/')).toBe('taken')
})
