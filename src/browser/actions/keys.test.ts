import { describe, expect, it } from 'vitest'
import { keyNamed } from './keys.ts'

describe('names of keys', () => {
  it.each([
    ['ENTER', 'Enter'], ['enter', 'Enter'], ['Return', 'Enter'], ['ARROW_DOWN', 'ArrowDown'], ['page down', 'PageDown'], ['Esc', 'Escape'], ['ctrl+a', 'Control+a'], ['CONTROL+SHIFT+Tab', 'Control+Shift+Tab'], ['f5', 'F5'], ['keyb', 'KeyB'],
  ])('are known in their common spellings: %s', (given, key) => expect(keyNamed(given)).toBe(key))

  it.each(['a', 'A', 'Ä', '+', ' ', 'Control+A', 'Control++', 'Shift+-', 'Foo', 'Enter'])('are unchanged otherwise: %j', (key) => expect(keyNamed(key)).toBe(key))
})
