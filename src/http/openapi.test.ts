import { expect, it } from 'vitest'
import { openApi } from './openapi.ts'

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly responses: Record<string, { readonly headers: Record<string, { readonly $ref: string }> }>
}

const operations = Object.values(openApi('1.2.3').paths).flatMap((methods) => Object.values(methods)) as unknown as readonly Operation[] // made in this form
const withHeader = (name: string): string[] => operations.filter(({ parameters = [] }) => parameters.some((one) => one.in === 'header' && one.name === name)).map(({ operationId }) => operationId)

it('only the routes that honour an idempotency key offer one', () => {
  expect(withHeader('x-idempotency-key').toSorted()).toEqual(['batch', 'browserCreate', 'crawl', 'interactCreate', 'map', 'parse', 'scrape', 'search'])
})

it('the event streams name the header with which they are continued, and the status at their end', () => {
  const streams = ['batchEvents', 'crawlEvents']
  expect(withHeader('last-event-id').toSorted()).toEqual(streams)
  expect(operations.filter(({ responses }) => '204' in responses).map(({ operationId }) => operationId).toSorted()).toEqual(streams)
})

it('each answer names the headers that it may carry, all of which are described', () => {
  const { headers } = openApi('1.2.3').components
  const named = operations.flatMap(({ responses }) => Object.values(responses).flatMap((answer) => Object.entries(answer.headers)))
  expect(new Set(named.map(([name]) => name))).toEqual(new Set(Object.keys(headers)))
  expect(named.filter(([name, { $ref }]) => $ref !== `#/components/headers/${name}`)).toEqual([])
  const crawl = operations.find(({ operationId }) => operationId === 'crawl')
  const rates = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
  const of = (status: number): string[] => Object.keys(crawl?.responses[status]?.headers ?? {})
  expect([of(200), of(401), of(405), of(429)]).toEqual([['X-Request-Id', ...rates, 'Idempotent-Replayed'], ['X-Request-Id', 'WWW-Authenticate'], ['X-Request-Id', 'Allow'], ['X-Request-Id', ...rates, 'Retry-After']])
})
