import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../test/cpu.ts'
import { read } from '../../content/reading.ts'
import { readDefaults } from '../../domain/pages/reading.ts'
import { filled } from '../meaning.ts'

const text = { type: 'string' }
const number = { type: 'number' }
const item = { type: 'object', properties: { name: text, price: number } }
const url = 'https://shop.example/items'

function made(body: string, type: string, schema: object): { readonly value: unknown; readonly missing: readonly string[] } {
  const { value, missing } = filled(read({ url, requestedUrl: url, status: 200, headers: [['content-type', type]], body: Buffer.from(body), truncated: false, tlsVerified: true, engine: 'http', proxy: 'basic', at: 0 }, readDefaults), { schema: { ...schema } })
  return { value, missing }
}
const object = (properties: object): object => ({ type: 'object', properties })

describe('a schema is filled from a file', () => {
  it('of JSON by the names in it, in the types of the schema', () => {
    const data = JSON.stringify({ productName: 'Lamp', price: '49.90', inStock: true, tags: ['a', 'b'], maker: { name: 'Tidewater', since: 1901 }, extra: { a: 1 }, gone: null, items: [{ name: 'A', price: 1 }, { name: 'B' }] })
    const schema = object({ product_name: text, price: number, inStock: { type: 'boolean' }, tags: { type: 'array', items: text }, maker: object({ name: text, city: text }), extra: { type: 'object' }, gone: text, items: { type: 'array', items: item } })
    expect(made(data, 'application/json', schema)).toEqual({
      value: { product_name: 'Lamp', price: 49.9, inStock: true, tags: ['a', 'b'], maker: { name: 'Tidewater', city: null }, extra: { a: 1 }, gone: null, items: [{ name: 'A', price: 1 }, { name: 'B', price: null }] },
      missing: ['/maker/city', '/gone', '/items/1/price'],
    })
  })

  it('of JSON with all that a map holds, also where some of it is required', () => {
    const data = JSON.stringify({ id: 7, prices: { total: 5, eur: '4' }, rows: [{ id: 1, name: 'A' }] })
    const prices = { type: 'object', additionalProperties: number, required: ['total', 'usd'] }
    expect(made(data, 'application/json', object({ prices, rows: { type: 'array', items: { type: 'object', required: ['id'] } } }))).toEqual({ value: { prices: { total: 5, eur: 4, usd: null }, rows: [{ id: 1, name: 'A' }] }, missing: ['/prices/usd'] })
    expect(made(data, 'application/json', { type: 'object', required: ['id'] })).toEqual({ value: JSON.parse(data), missing: [] })
    expect(made('{}', 'application/json', { type: 'object', required: ['id'] })).toEqual({ value: { id: null }, missing: ['/id'] })
  })

  it('of JSON that is a list, for the only list asked for', () => {
    const data = '[{"name":"A","price":1}]'
    expect([object({ items: { type: 'array', items: item } }), { type: 'array', items: item }, item].map((schema) => made(data, 'application/json', schema).value)).toEqual([{ items: [{ name: 'A', price: 1 }] }, [{ name: 'A', price: 1 }], { name: null, price: null }])
  })

  it('of a table by its header', () => {
    const schema = object({ rows: { type: 'array', items: item } })
    expect(made('Name;Price\nLamp;"1,50"\nRope;\n', 'text/csv', schema)).toEqual({ value: { rows: [{ name: 'Lamp', price: 1.5 }, { name: 'Rope', price: null }] }, missing: ['/rows/1/price'] })
    expect(made('name\tprice\nLamp\t2', 'text/tab-separated-values', schema).value).toEqual({ rows: [{ name: 'Lamp', price: 2 }] })
  })

  it('with what it says, and null for everything else', () => {
    const nothing = { value: { name: null, price: null }, missing: ['/name', '/price'] }
    expect([made('plain text', 'text/plain', item), made('{"name": broken', 'application/json', item), made('<a name="x"/>', 'application/xml', item), made('{"name":{"a":1},"price":[2]}', 'application/json', item), made('{"__proto__":{"name":"x"}}', 'application/json', item)]).toEqual([nothing, nothing, nothing, nothing, nothing])
  })

  it('in linear time', () => {
    const many = JSON.stringify(Array.from({ length: 20_000 }, (_, i) => ({ name: `n${i}`, price: i })))
    const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 40_000 }, (_, i) => [`k${i}`, i])))
    const all = (): void => {
      expect((made(many, 'application/json', { type: 'array', items: item }).value as unknown[]).length).toBe(500) // A list, by its schema.
      made(wide, 'application/json', item)
      made('[{"a":'.repeat(20_000), 'application/json', item)
    }
    expect(cpuMs(all)).toBeLessThan(10_000)
  })
})
