import { describe, expect, it } from 'vitest'
import { BrowserRequest, SessionPath } from './browser.ts'
import { routes } from './routes.ts'
import { ScrapeRequest } from './scrape.ts'

it('the id of a session has no control characters, which no store looks up', () => {
  expect(['a', 'a.b', '\u{1F600}', '', 'a\0', '\n', 'x'.repeat(129)].map((id) => routes.browserStatus.params.safeParse({ id }).success)).toEqual([true, true, true, false, false, false, false])
})

describe('the name of a profile', () => {
  it('is judged alike wherever it is given, so that each profile can be deleted', () => {
    const whether = (name: string): readonly boolean[] => {
      const profile = { name }
      return [BrowserRequest.safeParse({ profile }), ScrapeRequest.safeParse({ url: 'https://site.example/', profile }), routes.profileRemove.params.safeParse(profile)].map(({ success }) => success)
    }
    for (const name of ['', ' ', '.', '..', 'a\tb', 'x'.repeat(129)]) expect([name, whether(name)]).toEqual([name, [false, false, false]])
    for (const name of ['shop', '...', 'a/../b', 'x'.repeat(128), '\u{1F600}']) expect([name, whether(name)]).toEqual([name, [true, true, true]])
  })
})

it('the id of a session may be in capitals, as that of a job may', () => {
  expect(SessionPath.parse({ id: '01A22CE2-6ADB-73F2-A780-0CC8C68319E6' })).toEqual({ id: '01a22ce2-6adb-73f2-a780-0cc8c68319e6' })
})
