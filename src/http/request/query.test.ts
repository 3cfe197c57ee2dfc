import { expect, it } from 'vitest'
import { routes } from '../../spec/routes.ts'
import { queryOf } from './query.ts'

const refused = (path: string, message: string): unknown => expect.objectContaining({ code: 'BAD_REQUEST', message: `Bad Request: ${message}`, details: [expect.objectContaining({ path: [path], message })] })

it.each([
  [routes.crawlStatus, { limit: ['1', '2'] }, refused('limit', 'limit: Given more than once')],
  [routes.creditHistory, { byApiKey: ['true', 'true'] }, refused('byApiKey', 'byApiKey: Given more than once')],
  [routes.changes, { url: ['https://a.test/', 'https://b.test/'] }, refused('url', 'url: Given more than once')],
  [routes.crawlStatus, { limits: ['1', '2'] }, refused('limits', 'Unknown key "limits"; did you mean "limit"?')],
  [routes.crawlStatus, { limit: 'x' }, refused('limit', 'limit: Not a whole number')],
  [routes.crawlActive, { limit: '1' }, refused('limit', 'Unknown key "limit"')],
])('a query is refused for what is wrong in it: %#', (route, query, expected) => {
  expect(() => queryOf(route, query)).toThrow(expected as Error) // the matcher of an error
})

it('a query may name the client as often as it likes', () => {
  expect(queryOf(routes.crawlStatus, { skip: '2', origin: ['a', 'b'], integration: 'c' })).toEqual({ skip: 2 })
  expect(queryOf(routes.crawlActive, { origin: ['a', 'b'] })).toBeUndefined()
})
