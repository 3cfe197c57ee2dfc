import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Found } from '../../browser/index.ts'
import { lookForBrowser } from './browser.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const remote: Found = { kind: 'remote', source: 'TRAWL_CDP_URL', url: 'http://browsers.example:9222' }

it.each<[string, boolean, readonly unknown[]]>([
  ['reports a Chromium elsewhere that answers', true, ['info', 'browser-found', { source: 'TRAWL_CDP_URL' }]],
  ['warns of a Chromium elsewhere that does not answer, without its address', false, ['warn', 'browser-silent', { source: 'TRAWL_CDP_URL', hint: 'requests for a browser fail until it answers' }]],
])('the look for a browser %s', async (_, answers, line) => {
  const lines: unknown[] = []
  lookForBrowser({ search: async () => ({ found: remote, passedOver: [] }), answers: async () => answers }, (...said) => void lines.push(said))
  await vi.advanceTimersByTimeAsync(2_000)
  expect(lines).toEqual([line])
})
