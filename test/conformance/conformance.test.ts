import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerHeaders, type AnswerHeader, answerHeadersOf } from '../../src/spec/answer-headers.ts'
import { ErrorAnswer } from '../../src/spec/common.ts'
import { errorCodes } from '../../src/spec/errors.ts'
import { errorsOf, type Route } from '../../src/spec/routes.ts'
import { type Bench, type Brought, goodRequest, openBench } from './bench.ts'
import { named, pathOf, recipes } from './recipes.ts'

let bench: Bench

beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => bench.close())

const head = (path: string): Promise<Response> => fetch(bench.plain.base + path, { method: 'HEAD' })

/** The headers of the table that an answer has and should not have, or must have and has not. */
function wrongHeaders(route: Route, { status, headers }: Pick<Brought, 'status' | 'headers'>): readonly string[] {
  const may = answerHeadersOf(route, status)
  const names = Object.keys(answerHeaders) as AnswerHeader[] // keys of the table
  return names.filter((name) => (headers.get(name) === null ? answerHeaders[name].always && may.includes(name) : !may.includes(name)))
}

describe.each(named)('$method $path', (route) => {
  it('answers according to its schema', async () => {
    const request = await goodRequest(route.name, bench)
    const answer = await bench.plain.call(request.method, request.path, request.body)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(wrongHeaders(route, answer)).toEqual([])
    if ('media' in route.ok) expect(answer.headers.get('content-type')).toContain(route.ok.media.replaceAll('*', ''))
    else expect(route.ok.safeParse(answer.json)).toMatchObject({ success: true })
  })

  it('refuses unknown query parameters, except client labels', async () => {
    const request = await goodRequest(route.name, bench)
    const path = `${request.path}${request.path.includes('?') ? '&' : '?'}origin=cli&integration=n8n`
    const refused = await bench.plain.call(request.method, `${path}&nonsense=1`, request.body)
    expect([refused.status, refused.json?.details]).toEqual(route.access === 'public' ? [200, undefined] : [400, [{ code: 'unrecognized_keys', path: ['nonsense'], message: 'Unknown key "nonsense"' }]])
    expect((await bench.plain.call(request.method, path, request.body)).status).toBe(200)
  })

  it('answers HEAD like GET without a body if it needs no key, and not otherwise', async () => {
    if (route.access === 'key' || route.method !== 'GET') {
      const answer = await head(pathOf(route))
      return expect([answer.status, answer.headers.get('allow')?.split(', ')]).toEqual([405, expect.arrayContaining([route.method])])
    }
    const { path } = await goodRequest(route.name, bench)
    const [answer, whole] = [await head(path), await bench.plain.call('GET', path)]
    expect([answer.status, await answer.text(), answer.headers.get('content-type')]).toEqual([200, '', whole.headers.get('content-type')])
  })

  it.each(errorsOf(route))('answers %s in the standard error shape', async (code) => {
    const answer = await recipes[code](route, bench)
    const body: unknown = JSON.parse(answer.text)
    expect(ErrorAnswer.safeParse(body)).toMatchObject({ success: true, data: { success: false, code } })
    expect(answer.status).toBe(errorCodes[code].status)
    expect(wrongHeaders(route, answer)).toEqual([])
    expect(answer.text).not.toMatch(/node_modules|\.ts:|\.js:|\n\s+at |secret of ours|fastify/i)
    if (answer.status === 429 || answer.status === 503) expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    if (answer.status === 401) expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    if (answer.status === 405) expect(answer.headers.get('allow')).toContain(route.method)
  })
})

it('every code of the table is documented for some route', () => {
  const used = new Set(named.flatMap((route) => errorsOf(route)))
  expect(Object.keys(errorCodes).filter((code) => !used.has(code as keyof typeof errorCodes))).toEqual([]) // keys of the table
})
