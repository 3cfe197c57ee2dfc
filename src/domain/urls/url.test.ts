import { expect, it } from 'vitest'
import { cacheUrl } from './url.ts'

it.each([
  ['https://Example.com', 'https://example.com/'],
  ['https://example.com:443/a/../b?x=1#part', 'https://example.com/b?x=1'],
  ['https://example.com/#!/route', 'https://example.com/#!/route'],
  ['https://example.com/#/route', 'https://example.com/#/route'],
])('the cache key of %s is %s', (url, key) => expect(cacheUrl(url)).toBe(key))
