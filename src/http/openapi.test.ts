import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it } from 'vitest'
import { openApi } from './openapi.ts'

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly responses: Record<string, { readonly headers: Record<string, { readonly $ref: string }> }>
}

const document = openApi('1.2.3')
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods)) as unknown as readonly Operation[] // made in this form
const withHeader = (name: string): string[] => operations.filter(({ parameters = [] }) => parameters.some((one) => one.in === 'header' && one.name === name)).map(({ operationId }) => operationId)

/** All objects within a value. */
const within = (value: unknown): object[] => (typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(within)] : [])

it('the document conforms to OpenAPI 3.1', async () => {
  expect(await new Validator().validate(JSON.parse(JSON.stringify(document)))).toEqual({ valid: true })
})

it('each reference leads to a definition, which is not just another reference', () => {
  const references = new Set(within(document).flatMap((one) => ('$ref' in one ? [String(one.$ref)] : [])))
  const led = (reference: string): unknown => reference.split('/').slice(1).reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], document)
  expect(references.size).toBeGreaterThan(40)
  expect([...references].filter((one) => typeof led(one) !== 'object' || '$ref' in (led(one) as object))).toEqual([])
})

it('the values of a choice are of the type beside them', () => {
  const choices = within(document).flatMap((one) => ('enum' in one && 'type' in one && Array.isArray(one.enum) ? [{ type: one.type, values: one.enum }] : []))
  expect(choices.length).toBeGreaterThan(30)
  expect(choices.filter(({ type, values }) => values.some((value) => typeof value !== type))).toEqual([])
})

it('each operation is in an area, and each area has some', () => {
  const used = operations.map((one) => (one as unknown as { readonly tags: readonly string[] }).tags)
  expect(new Set(used.flat())).toEqual(new Set(document.tags.map(({ name }) => name)))
  expect(used.every((tags) => tags.length === 1)).toBe(true)
})

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
