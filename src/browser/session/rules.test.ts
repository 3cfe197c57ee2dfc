import { describe, expect, it } from 'vitest'
import { isAllowed, isTold } from './allowed.ts'
import { isOpenAddress } from './rules.ts'

describe('the addresses that a session may navigate to', () => {
  it.each(['http://example.com', 'https://example.com:8443/a?b#c', 'HTTP://EXAMPLE.COM', 'about:blank', 'about:srcdoc', 'data:text/html,<p>', 'blob:http://example.com/1', 'blob:null/1', '', undefined])('include those of the web: %s', (url) => {
    expect(isOpenAddress(url)).toBe(true)
  })

  it.each(['file:///etc/passwd', 'FILE:/etc', 'fi\nle:///etc', '\u0000file:///etc', 'chrome://version', 'about:version', 'about:blank/../version', 'view-source:http://example.com', 'devtools://x', 'javascript:1', 'blob:file:///x', 'filesystem:http://x/y', 'ftp://x', 'ws://x', 'chrome-extension://x', '//example.com', 'example.com', 7, null, {}, ['http://x']])('include no others: %j', (url) => {
    expect(isOpenAddress(url)).toBe(false)
  })
})

it('an address that a session may navigate to is at most 2 MB long', () => {
  const page = 'data:text/html,'
  const longest = 2 * 1024 * 1024
  expect([longest, longest + 1].map((length) => isOpenAddress(page.padEnd(length, 'x')))).toEqual([true, false])
})

describe('the commands that a client may send', () => {
  it('are the listed ones, and no inherited properties of objects', () => {
    expect(['Page.navigate', 'Runtime.evaluate', 'Target.createTarget'].every(isAllowed)).toBe(true)
    expect(['Page', 'Page.', 'page.navigate', 'Page.navigate ', 'Tracing.start', 'constructor', '__proto__', 'toString', ''].some(isAllowed)).toBe(false)
    expect(['Page.loadEventFired', 'Tracing.dataCollected', 'constructor.name', 'SystemInfo.x'].map(isTold)).toEqual([true, false, false, false])
  })
})
