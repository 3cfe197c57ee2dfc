import { describe, expect, it } from 'vitest'
import { languagesOf } from './location.ts'

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
