import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import type { Browser } from 'playwright-core'
import type { Launched } from '../chromium/launch.ts'
import { rememberWire, type Wire } from '../protocol/wire.ts'
import type { Call } from '../../domain/call.ts'
import type { Egress } from '../../net/index.ts'
import { sessionBrowsers, type SessionBrowsersOptions } from './browsers.ts'

/** A browser whose driver waits for an answer that does not come, as it does for a page when its browser dies. */
function mute(): Launched & { die(): void } {
  const events = new EventEmitter()
  let connected = true
  const die = (): void => {
    connected = false
    events.emit('disconnected')
  }
  const browser = Object.assign(events, { isConnected: () => connected, newContext: () => new Promise(() => undefined), version: () => '156.0' }) as unknown as Browser // the part of it that is used until then
  rememberWire(browser, { branch: () => new Promise(() => undefined) } as unknown as Wire) // likewise
  return { browser, pid: null, kill: die, die, close: async () => die() }
}

it('a browser that dies while it is prepared fails the session at once, and is not waited for', async () => {
  const launched = mute()
  const source = { launch: async () => launched, contextTunnel: () => null } as unknown as SessionBrowsersOptions['source'] // what a start uses of it
  const sessions = sessionBrowsers({ source, visiting: { clock: Date, maxBytes: 1 }, say: () => undefined, egress: {} as unknown as Egress }) // nothing is loaded
  const call = { signal: new AbortController().signal, team: 'shop' } as unknown as Call // what opening reads of it
  const opening = sessions.open({ languages: ['en-US'] }, call)
  setImmediate(() => setImmediate(launched.die))
  await expect(opening).rejects.toThrow('ended while it was prepared')
  await sessions.stop()
}, 5_000)
