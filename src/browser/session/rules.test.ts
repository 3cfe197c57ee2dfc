import { describe, expect, it } from 'vitest'
import { isAllowed, isTold } from './allowed.ts'
import { isOpenAddress, ruling } from './rules.ts'

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

describe('an answer that a client gives in the place of a site', () => {
  const place = { root: false, context: 'c', isOwnContext: () => true, isOwnTarget: () => true, isOwnSession: () => true, isFull: () => false }
  const kindOf = (responseHeaders: unknown, more: object = {}): string => ruling('Fetch.fulfillRequest', { requestId: '1', responseCode: 302, responseHeaders, ...more }, place).kind

  it.each([
    [undefined],
    [[]],
    [[{ name: 'Location', value: 'https://example.com/' }, { name: 'X-Other', value: 'file:///etc/passwd' }]],
    [[{ name: 'location', value: '/next' }]],
  ])('may have headers such as %j', (headers) => expect(kindOf(headers)).toBe('send'))

  it.each([
    [[{ name: 'Location', value: 'file:///etc/passwd' }]],
    [[{ name: 'X', value: 'y' }, { name: ' LOCATION ', value: ' \u0001fi\nle:///etc/passwd' }]],
    [[{ name: 'location', value: 'chrome://version' }]],
    ['location: file:///etc/passwd'],
    [{ location: 'file:///etc/passwd' }],
    [null],
  ])('may not have headers such as %j', (headers) => expect(kindOf(headers)).toBe('refuse'))

  it('may not have them as one text, which only the browser can read as it does', () => {
    expect(kindOf(undefined, { binaryResponseHeaders: 'WDogeQ==' })).toBe('refuse')
  })
})
