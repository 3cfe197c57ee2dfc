import { z } from 'zod'
import { answerHeaders, answerHeadersOf } from '../spec/answer-headers.ts'
import { areaList, areaOf } from '../spec/areas.ts'
import { ErrorAnswer } from '../spec/common.ts'
import { type ErrorCode, errorCodes } from '../spec/errors.ts'
import { type Example, examples } from '../spec/examples.ts'
import { limits } from '../spec/limits.ts'
import { errorsOf, type Route, routes } from '../spec/routes.ts'

type Json = Record<string, unknown>

/** An OpenAPI 3.1 document. */
export interface OpenApi {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string; readonly license: { readonly name: string; readonly identifier: string } }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: typeof areaList
  readonly paths: Record<string, Record<string, Json>>
  readonly components: { readonly schemas: Record<string, Json>; readonly headers: Record<string, Json>; readonly securitySchemes: Json }
}

const withRefs = (schema: Json): Json => JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json // same object, other references

/** Converts a schema to JSON Schema 2020-12; named schemas are added to `into` and referenced. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', into: Record<string, Json>): Json {
  const whole: Json = { ...z.toJSONSchema(schema, { io, unrepresentable: 'any' }) }
  const { $schema: _, $defs, ...rest } = withRefs(whole)
  for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, Json>)) into[name] = definition // definitions are JSON Schemas
  return rest
}

function parametersOf(route: Route, into: Record<string, Json>): Json[] {
  const from = (schema: z.ZodType | undefined, where: 'path' | 'query'): Json[] => {
    if (schema === undefined) return []
    const { properties = {}, required = [] } = schemaOf(schema, 'input', into) as { properties?: Record<string, Json>; required?: string[] } // an object schema
    return Object.entries(properties).map(([name, property]) => ({ name, in: where, required: where === 'path' || required.includes(name), schema: property }))
  }
  return [...from(route.params, 'path'), ...from(route.query, 'query'), ...headersOf(route)]
}

const headerParameter = (name: string, schema: Json, description: string): Json => ({ name, in: 'header', required: false, schema, description })

/** The request headers that mean something to a route, besides the key. */
function headersOf(route: Route): Json[] {
  const repeatable = route.errors.includes('IDEMPOTENCY_CONFLICT')
  return [
    ...(repeatable ? [headerParameter('x-idempotency-key', { type: 'string', minLength: 1, maxLength: limits.idempotencyKeyLength }, 'Repeating a request with the same key and body gives the first answer.')] : []),
    ...(isEventStream(route) ? [headerParameter('last-event-id', { type: 'integer', minimum: 0 }, 'Start after this event.')] : []),
  ]
}

const isEventStream = ({ ok }: Route): boolean => 'media' in ok && ok.media === 'text/event-stream'

/** The headers of the answers, once; each answer refers to its own. */
const headerComponents = (): Record<string, Json> =>
  Object.fromEntries(Object.entries(answerHeaders).map(([name, { type, meaning, always }]) => [name, { description: meaning, ...(always ? { required: true } : {}), schema: { type } }]))

const headersTo = (route: Route, status: number): Json => ({ headers: Object.fromEntries(answerHeadersOf(route, status).map((name) => [name, { $ref: `#/components/headers/${name}` }])) })

function errorAnswers(route: Route): Record<string, Json> {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of errorsOf(route)) byStatus.set(errorCodes[code].status, [...(byStatus.get(errorCodes[code].status) ?? []), code])
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [
      String(status),
      { description: list.map((code) => `${code}: ${errorCodes[code].meaning}`).join('\n\n'), ...headersTo(route, status), content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
    ]),
  )
}

function examplesOf(name: string, wrap: (body: object) => object): Json {
  const all: readonly Example[] = examples[name as keyof typeof examples] // every route with a body has some
  return Object.fromEntries(all.map(({ title, body }, index) => [`example-${index + 1}`, { summary: title, value: wrap(body) }]))
}

function contentOf(name: string, body: Json, { upload }: Route): Json {
  if (upload !== true) return { 'application/json': { schema: body, examples: examplesOf(name, (value) => value) } }
  const file = { type: 'string', format: 'binary', description: 'The file, with its name; at most 50 MB.' }
  return { 'multipart/form-data': { schema: { type: 'object', required: ['file'], properties: { file, options: body } }, examples: examplesOf(name, (options) => ({ file: 'report.pdf', options })), encoding: { options: { contentType: 'application/json' } } } }
}

function operation(name: string, route: Route, into: Record<string, Json>): Json {
  const ok = 'media' in route.ok ? { [route.ok.media]: {} } : { 'application/json': { schema: schemaOf(route.ok as z.ZodType, 'output', into) } } // the other member of the union
  const parameters = parametersOf(route, into)
  return {
    operationId: name,
    tags: [areaOf(route.path)],
    summary: route.summary,
    ...(route.access === 'key' ? { security: [{ key: [] }] } : { security: [] }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined ? {} : { requestBody: { required: true, content: contentOf(name, schemaOf(route.body, 'input', into), route) } }),
    responses: {
      200: { description: 'Done.', ...headersTo(route, 200), content: ok },
      ...(isEventStream(route) ? { 204: { description: 'The job has ended, and it has no more events: do not connect again.', ...headersTo(route, 204) } } : {}),
      ...errorAnswers(route),
    },
  }
}

/** The route table as OpenAPI 3.1. */
export function openApi(version: string): OpenApi {
  const schemas: Record<string, Json> = {}
  const paths: Record<string, Record<string, Json>> = {}
  for (const [name, route] of Object.entries<Route>(routes)) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(name, route, schemas) }
  }
  // Named, so that it is added to the schemas.
  schemaOf(ErrorAnswer, 'output', schemas)
  return {
    openapi: '3.1.0',
    info: { title: 'Trawl', version, description: 'Web data service: give it a URL, get clean data back.', license: { name: 'Apache 2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/' }],
    tags: areaList,
    paths,
    components: { schemas, headers: headerComponents(), securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  }
}
