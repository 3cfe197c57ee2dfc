import { Server } from 'node:net'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { callFor, outcome, testEgress } from '../../../test/net/servers.ts'
import type { Found } from '../../browser/index.ts'
import { loadConfig } from '../settings/config.ts'
import { browser, lookForBrowser } from './browser.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const remote: Found = { kind: 'remote', source: 'TRAWL_CDP_URL', url: 'http://browsers.example:9222' }

it.each<[string, boolean, readonly unknown[]]>([
  ['reports a Chromium elsewhere that answers', true, ['info', 'browser-found', { source: 'TRAWL_CDP_URL' }]],
  ['warns of a Chromium elsewhere that does not answer, without its address', false, ['warn', 'browser-silent', { source: 'TRAWL_CDP_URL', hint: 'requests for a browser fail until it answers' }]],
])('the look for a browser %s', async (_, answers, line) => {
  const lines: unknown[] = []
  lookForBrowser({ search: async () => ({ found: remote, passedOver: [] }), answers: async () => answers }, { TRAWL_CHROMIUM_PATH: null }, (...said) => void lines.push(said))
  await vi.advanceTimersByTimeAsync(2_000)
  expect(lines).toEqual([line])
})

it('the look for a browser blames the one that the operator names', async () => {
  vi.useRealTimers()
  const line = await new Promise((resolve) => lookForBrowser({ search: async () => ({ found: null, passedOver: ['TRAWL_CHROMIUM_PATH: /opt/chrome does not start (no such file)'] }), answers: async () => true }, { TRAWL_CHROMIUM_PATH: '/opt/chrome' }, (...said) => resolve(said)))
  expect(line).toEqual(['warn', 'browser-missing', {
    hint: 'the program of TRAWL_CHROMIUM_PATH does not start; correct that setting, or remove it to have another one searched; requests for a browser are refused, pages come without running their scripts',
    passedOver: 'TRAWL_CHROMIUM_PATH: /opt/chrome does not start (no such file)',
  }])
})

it('the browser is opened again after a shortage of descriptors', async () => {
  vi.useRealTimers()
  const { egress, own, clock } = testEgress()
  const config = loadConfig({ TRAWL_CHROMIUM_PATH: '/none', TRAWL_FILTER_LISTS: 'off' })
  const one = browser({ config, egress, own, clock, ways: { egressFor: () => egress }, log: () => undefined, files: { name: 'http', can: new Set(), cost: 0, fetch: () => Promise.reject(new Error('no files')) }, maxBytes: 1_000 })
  vi.spyOn(Server.prototype, 'listen').mockImplementationOnce(function (this: Server) {
    this.emit('error', Object.assign(new Error('listen EMFILE'), { code: 'EMFILE' }))
    return this
  })
  expect(await outcome(one.confined(callFor()))).toBe('OVERLOADED')
  expect(await outcome(one.confined(callFor()))).toBe('BROWSER_NOT_CONFIGURED')
  await one.close()
})
