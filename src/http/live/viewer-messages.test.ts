import { describe, expect, it, vi } from 'vitest'
import { viewerMessage, viewerRate } from './viewer-messages.ts'

const half = 512 * 1024

describe('messages of viewers', () => {
  it('reads an input, also a long text that holds what looks like JSON', () => {
    const text = '[{"a":1},'.repeat(10_000)
    expect(viewerMessage(JSON.stringify({ type: 'text', text }))).toEqual({ type: 'text', text })
    expect(viewerMessage('{"type":"mouse","event":"down","x":1,"y":2,"button":"left","buttons":1,"clicks":1,"modifiers":0}')).toMatchObject({ type: 'mouse', x: 1 })
  })

  it('understands nothing else, and tells an address that cannot be opened', () => {
    expect(viewerMessage('{"type":"navigate","url":"file:///etc/passwd"}')).toBe('no address')
    for (const text of ['', 'null', '[]', '{"type":"gone"}', '{"type":"text","text":{}}']) expect(viewerMessage(text)).toBeNull()
  })

  it.each([
    ['values', `{"type":"text","text":"a","x":[${'{},'.repeat(half / 3)}{}]}`],
    ['members', `{"type":"text","text":"a"${Array.from({ length: 40_000 }, (_, i) => `,"k${i}":1`).join('')}}`],
    ['elements', `[${'1,'.repeat(half / 2)}1]`],
    ['levels', `{"type":"text","text":"a","x":${'['.repeat(half / 2)}${']'.repeat(half / 2)}}`],
  ])('does not parse a message with too many %s', (_what, text) => {
    const parse = vi.spyOn(JSON, 'parse')
    expect(viewerMessage(text)).toBeNull()
    expect(parse).not.toHaveBeenCalled()
    parse.mockRestore()
  })

  it('has more read in the next second only, after too many in one or too much', () => {
    let now = 1_250
    const pause = viewerRate(() => now)
    expect(Array.from({ length: 500 }, () => pause(40)).filter((ms) => ms > 0)).toEqual([750])
    now = 2_000
    expect(Array.from({ length: 8 }, () => pause(half))).toEqual([0, 0, 0, 0, 0, 0, 0, 1_000])
    now = 3_000
    expect(pause(half)).toBe(0)
  })
})
