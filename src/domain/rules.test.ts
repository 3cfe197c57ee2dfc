import { describe, expect, it } from 'vitest'
import { fileKind } from './file-kind.ts'
import { isOn } from './gates.ts'
import { languagesOf } from './location.ts'
import { cacheUrl } from './url.ts'

const text = (body: string): Uint8Array => Buffer.from(body)
const file = (type: string, body: Uint8Array): Parameters<typeof fileKind>[0] => ({ headers: type === '' ? [] : [['content-type', type]], body })

describe('the kind of a file', () => {
  it.each([
    ['text/html; charset=utf-8', text('<p>'), 'page'],
    ['', text('<p>'), 'page'],
    ['application/octet-stream', text('plain words'), 'page'],
    ['application/octet-stream', new Uint8Array([1, 2, 3]), 'binary'],
    ['application/vnd.api+json', text('{}'), 'page'],
    ['image/svg+xml', text('<svg/>'), 'page'],
    ['image/png', text('not really'), 'binary'],
    ['application/pdf', text('%PDF-1.7'), 'pdf'],
    ['text/html', text('%PDF-1.7'), 'pdf'],
    ['application/pdf', new Uint8Array(), 'page'],
    ['application/zip', new Uint8Array([0x50, 0x4b, 3, 4]), 'binary'],
    ['', Buffer.from('﻿<p>', 'utf16le'), 'page'],
  ])('%s with its bytes', (type, body, kind) => expect(fileKind(file(type, body))).toBe(kind))
})

describe('languages', () => {
  it.each([
    [undefined, ['en-US', 'en']],
    [{ country: 'DE' }, ['de-DE', 'de', 'en']],
    [{ country: 'GB' }, ['en-GB', 'en']],
    [{ country: 'JP' }, ['ja-JP', 'ja', 'en']],
    [{ country: 'DE', languages: ['fr-CH'] }, ['fr-CH']],
    [{ country: 'DE', languages: [] }, ['de-DE', 'de', 'en']],
  ])('of %j', (location, languages) => expect(languagesOf(location)).toEqual(languages))
})

it.each([
  ['https://Example.com', 'https://example.com/'],
  ['https://example.com:443/a/../b?x=1#part', 'https://example.com/b?x=1'],
  ['https://example.com/#!/route', 'https://example.com/#!/route'],
  ['https://example.com/#/route', 'https://example.com/#/route'],
])('the cache knows %s as %s', (url, key) => expect(cacheUrl(url)).toBe(key))

it('a feature is on for the teams named, or for all', () => {
  expect([isOn(['a'], 'a'), isOn(['a'], 'b'), isOn(['*'], 'b'), isOn([], 'a')]).toEqual([true, false, true, false])
})
