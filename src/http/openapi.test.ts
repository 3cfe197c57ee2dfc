import { expect, it } from 'vitest'
import { openApi } from './openapi.ts'

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly responses: Record<string, unknown>
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
