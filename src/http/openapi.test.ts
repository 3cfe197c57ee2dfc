import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it } from 'vitest'
import { openApi } from './openapi.ts'

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly responses: Record<string, unknown>
}

const document = openApi('1.2.3')
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods)) as unknown as readonly Operation[] // made in this form
const withHeader = (name: string): string[] => operations.filter(({ parameters = [] }) => parameters.some((one) => one.in === 'header' && one.name === name)).map(({ operationId }) => operationId)

/** All objects within a value. */
const within = (value: unknown): object[] => (typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(within)] : [])

it('the document conforms to OpenAPI 3.1', async () => {
  expect(await new Validator().validate(JSON.parse(JSON.stringify(document)))).toEqual({ valid: true })
})

it('each name of a schema leads to a definition, which is not just another name', () => {
  const names = new Set(within(document.paths).concat(within(document.components)).flatMap((one) => ('$ref' in one ? [String(one.$ref).replace('#/components/schemas/', '')] : [])))
  expect(names.size).toBeGreaterThan(40)
  expect([...names].filter((name) => document.components.schemas[name] === undefined || '$ref' in document.components.schemas[name])).toEqual([])
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
