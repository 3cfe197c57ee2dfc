import { describe, expect, it } from 'vitest'
import type { Derivation } from '../../domain/pages/derivation.ts'
import { bodyOf } from './page-bytes.ts'
import { extended, formatsOf, pack, unpack, withoutFacts } from '../../domain/pages/packed.ts'

const derivation: Derivation = {
  fields: { markdown: '# Ünï\u2028code\n\n"quoted" {}\n', links: ['http://a.test/\n'] },
  metadata: { title: 'Line\nfeed', ogLocaleAlternate: ['de', 'fr'] },
  verdict: 'ok', scriptDemand: null,
  confidence: 0.5,
  removals: [{ step: 'ads', count: 2 }],
  warnings: ['cut'],
}
const { fields, ...facts } = derivation

describe('a packed derivation', () => {
  it('is unpacked unchanged', () => {
    const back = unpack(pack(derivation).bytes())
    expect(back.fields()).toEqual(fields)
    expect(back.facts).toEqual(facts)
    expect(JSON.parse(Buffer.from(back.json).toString())).toEqual(fields)
  })

  it('is unpacked from a view into a larger buffer', () => {
    const bytes = pack(derivation).bytes()
    const larger = Buffer.concat([Buffer.from('before\n'), bytes, Buffer.from('\nafter')])
    expect(unpack(new Uint8Array(larger.buffer, larger.byteOffset + 7, bytes.length)).fields()).toEqual(fields)
  })

  it('is extended by members that others wrote, which are not parsed', () => {
    const page = extended(pack(derivation), Buffer.from('{}'), Buffer.from('{"a": [1,  2]}'), Buffer.from('{"b":{}}'))
    expect(Buffer.from(page.json).toString()).toBe(`${JSON.stringify(fields).slice(0, -1)},"a": [1,  2],"b":{}}`)
    expect([page.fields(), unpack(page.bytes()).facts]).toEqual([{ ...fields, a: [1, 2], b: {} }, facts])
    expect(Buffer.from(extended(pack({ ...derivation, fields: {} }), Buffer.from('{"b":1}')).json).toString()).toBe('{"b":1}')
  })

  it('without its facts contains only the same formats', () => {
    const page = pack(derivation)
    expect(formatsOf(withoutFacts(page))).toEqual(formatsOf(page.bytes()))
    expect(Buffer.from(withoutFacts(page)).toString()).toBe(`\n${JSON.stringify(fields)}`)
  })

  it('keeps warnings about formats separate from them', () => {
    const packed = pack({ ...derivation, fields: { ...fields, warning: 'no menu' } })
    expect(packed.facts).toEqual({ ...facts, formatWarning: 'no menu' })
    expect(unpack(packed.bytes())).toMatchObject({ facts: { formatWarning: 'no menu' } })
    expect(packed.fields()).toEqual(fields)
  })
})

describe('the body of an answer', () => {
  const frame = { warning: 'w', metadata: { title: 'T' } }

  it('contains the formats first, then the frame, byte for byte as if serialized at once', () => {
    const body = Buffer.from(bodyOf(pack(derivation).json, JSON.stringify(frame))).toString()
    expect(body).toBe(JSON.stringify({ success: true, data: { ...fields, ...frame } }))
  })

  it('is valid JSON without any format', () => {
    const body = Buffer.from(bodyOf(pack({ ...derivation, fields: {} }).json, JSON.stringify(frame))).toString()
    expect(body).toBe(JSON.stringify({ success: true, data: frame }))
  })
})
