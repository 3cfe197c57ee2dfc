import { expect, it } from 'vitest'
import type { Derivation } from './derivation.ts'
import { detached, pack, unpack } from './packed.ts'

const derivation: Derivation = {
  fields: { markdown: '# One\n\ntwo', warning: 'Three.' },
  metadata: { title: 'One' },
  verdict: 'ok',
  scriptDemand: null,
  confidence: 0.5,
  removals: [],
  warnings: [],
  found: ['https://example.com/'],
  index: { terms: { title: [], text: [] } as never, language: 'en', publishedAt: null, pictures: [] },
}

it('a value that is detached from its page is equal, in objects of its own', () => {
  const page = pack(derivation)
  const { facts, json, index, ...made } = detached(page)
  expect([facts, Buffer.from(json).toString(), index, made.fields()]).toEqual([page.facts, JSON.stringify({ markdown: '# One\n\ntwo' }), page.index, { markdown: '# One\n\ntwo' }])
  expect([facts.metadata === derivation.metadata, facts.found === derivation.found]).toEqual([false, false])
  expect(unpack(made.bytes()).facts).toEqual({ ...page.facts, formatWarning: 'Three.' })
})
