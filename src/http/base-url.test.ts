import type { FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import { baseUrl } from './base-url.ts'

const from = (headers: Readonly<Record<string, string>>): FastifyRequest => ({ headers }) as unknown as FastifyRequest // the part that is read

it.each([
  [{ host: 'trawl.test:3002' }, 'http://trawl.test:3002'],
  [{ host: '[::1]:3002' }, 'http://[::1]:3002'],
  [{ host: 'inner:3002', 'x-forwarded-host': 'outer.test', 'x-forwarded-proto': 'https' }, 'https://outer.test'],
  [{ host: 'inner:3002', 'x-forwarded-host': 'outer.test, middle.test', 'x-forwarded-proto': 'https, http' }, 'https://outer.test'],
  [{ host: 'inner:3002', 'x-forwarded-host': 'evil.test/<script>' }, 'http://inner:3002'],
  [{ host: 'inner:3002', 'x-forwarded-proto': 'gopher' }, 'http://inner:3002'],
  [{}, 'http://localhost'],
] as const)('the URLs in an answer begin as its request was addressed: %j', (headers, base) => {
  expect(baseUrl(from(headers), null)).toBe(base)
})

it.each(['https://trawl.test/base', 'https://trawl.test/base/', 'https://trawl.test/base//'])('they begin as the operator says, without a second slash: %s', (publicUrl) => {
  expect(baseUrl(from({ host: 'inner:3002', 'x-forwarded-host': 'outer.test' }), publicUrl)).toBe('https://trawl.test/base')
})
