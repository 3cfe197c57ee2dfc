import { describe, expect, it } from 'vitest'
import { judged } from './json.ts'

const text = '# Furniture\n\nRed Chair, oak, 49,00 €. Blue Table, beech, 149,00 €. Green Lamp, brass, 19,00 €. In stock since 3. März 2026; 1.234 sold in the United States. Seat height: 45 cm. Battery life: 9 h. Sofa: 1 299,50 €. Desk: 3\u00a0400\u00a0kr. Built: 12\u202f500.'
const entry = { type: 'object', properties: { name: { type: 'string' }, price: { type: 'number' }, material: { type: 'string' } } }
const list = { type: 'array', items: entry }
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const judge = (answers: readonly unknown[], schema: Record<string, unknown> | null, draft: unknown = null) => judged({ text, title: 'Shop', urls: [], answers, draft, schema })

describe('lists that combine page and model values', () => {
  const proved = [{ name: 'Red Chair', price: 49, material: null }, { name: 'Blue Table', price: 149, material: null }]
  const said = [{ name: 'Green Lamp', price: 19, material: 'brass' }, { name: 'Blue Table', price: 149, material: 'beech' }, { name: 'Red Chair', price: 49, material: 'oak' }]

  it('contain each thing once', () => {
    expect(judge([{ data: { items: said } }], object({ items: list }), { items: proved }).value).toEqual({ items: [said[2], said[1], said[0]] })
  })

  it('keep what the model says twice, and take from a second part only what is new', () => {
    const prices = object({ prices: { type: 'array', items: { type: 'number' } } })
    expect(judge([{ data: { prices: [49, 19, 49] } }], prices, { prices: [] }).value).toEqual({ prices: [49, 19, 49] })
    expect(judge([{ data: { prices: [49, 49] } }, { data: { prices: [49, 19, 19] } }], prices).value).toEqual({ prices: [49, 49, 19, 19] })
    const things = [{ material: 'oak', price: 49 }, { material: 'oak', price: 49 }]
    expect(judge([{ data: { things } }], object({ things: list }), { things: [] }).value).toMatchObject({ things })
  })

  it('merge entries from two parts of a page that describe one thing', () => {
    expect(judge([{ data: [said[0], { name: 'Red Chair', price: 49 }] }, { data: [{ name: 'Red Chair', material: 'oak' }] }], list).value).toEqual([said[0], { name: 'Red Chair', price: 49, material: 'oak' }])
  })

  it('keep entries apart that may be two things', () => {
    const two = [{ name: 'Red Chair', price: 49 }, { name: 'Red Chair', price: 19 }]
    expect(judge([{ data: [two[0]] }, { data: [two[1], { name: 'Blue Table' }] }], list).value).toEqual([...two, { name: 'Blue Table' }])
    const same = [{ material: 'oak', price: 49 }, { material: 'oak', price: 19 }]
    expect(judge([{ data: same }, { data: [{ material: 'oak', name: 'Red Chair' }] }], list).value).toHaveLength(3)
  })
})

describe('an answer is converted to the types of the schema', () => {
  it.each([
    [{ type: 'number' }, '149,00 €', 149],
    [{ type: 'integer' }, '1.234', 1234],
    [{ type: 'string', format: 'date' }, '3. März 2026', '2026-03-03'],
    [{ enum: ['United States', 'Canada'] }, 'united states', 'United States'],
    [{ anyOf: [{ type: 'number' }, { type: 'null' }] }, '19,00 €', 19],
    [{ type: 'string' }, '149,00 €', '149,00 €'],
    [{ type: 'number' }, '1 299,50 €', 1299.5],
    [{ type: 'number' }, '3\u00a0400\u00a0kr', 3400],
    [{ type: 'integer' }, '12\u202f500', 12500],
  ])('%j of %j is %j', (schema, said, value) => {
    const { value: made, invented, unfit } = judge([{ data: { a: said } }], object({ a: schema }))
    expect([made, invented, unfit]).toEqual([{ a: value }, [], []])
  })

  it('without accepting values that the page does not contain', () => {
    expect(judge([{ data: { a: '150,00 €', b: '4. März 2026' } }], object({ a: { type: 'number' }, b: { type: 'string', format: 'date' } }))).toMatchObject({ value: { a: null, b: null }, invented: ['/a', '/b'] })
  })

  it('a number is not made of two', () => {
    expect(judge([{ data: { a: '3 400' } }], object({ a: { type: 'number' } })).value).toEqual({ a: null })
  })

  it('and a single entry becomes the list of it', () => {
    const schema = object({ names: { type: 'array', items: { type: 'string' } }, prices: { type: 'array', items: { type: 'number' } }, things: list, none: { type: 'array', items: { type: 'string' } } })
    const answer = { names: 'Red Chair', prices: '49,00 €', things: { name: 'Blue Table', price: '149,00 €' }, none: '' }
    expect(judge([{ data: answer }], schema)).toMatchObject({ value: { names: ['Red Chair'], prices: [49], things: [{ name: 'Blue Table', price: 149 }], none: null }, invented: [], unfit: [] })
    expect(judge([{ data: { names: 'Pink Chair' } }], schema)).toMatchObject({ value: { names: [] }, invented: ['/names/0'] })
  })

  it('and an empty text is neither a value nor invented', () => {
    expect(judge([{ data: { a: '', b: ' ' } }], object({ a: { type: 'string' }, b: {} }))).toMatchObject({ value: { a: null, b: null }, invented: [] })
  })
})

it('a value that the page has is not called null because the model said something else of it', () => {
  const schema = object({ name: { type: 'string' }, 'a/b': object({ price: { type: 'number' } }), list: { type: 'array', items: { type: 'string' } } })
  const parts = [{ data: { name: 'Pink Chair', 'a/b': { price: 49 }, list: ['oak', 'lead'] } }, { data: { name: null, 'a/b': { price: 50 }, list: [] } }]
  expect(judge(parts, schema, { name: 'Red Chair' })).toMatchObject({ value: { name: 'Red Chair', 'a/b': { price: 49 }, list: ['oak'] }, invented: ['/list/1'] })
  expect(judge(parts, null)).toMatchObject({ value: { name: null, 'a/b': { price: 49 }, list: ['oak'] }, invented: ['/name', '/list/1'] })
})

it('a schema with a property called data accepts answers with and without the envelope', () => {
  const schema = object({ data: object({ name: { type: 'string' } }) })
  for (const answer of [{ data: { data: { name: 'Red Chair' } }, evidence: [] }, { data: { data: { name: 'Red Chair' } } }, { data: { name: 'Red Chair' } }]) {
    expect(judge([answer], schema).value).toEqual({ data: { name: 'Red Chair' } })
  }
})

it('the keys of a map are values: those that the page does not contain are removed', () => {
  const schema = object({ prices: { type: 'object', additionalProperties: { type: 'number' } } })
  const { value, invented } = judge([{ data: { prices: { 'Red Chair': 49, seatHeight: 45, 'Black Sofa': 149 } } }], schema)
  expect([value, invented]).toEqual([{ prices: { 'Red Chair': 49, seatHeight: 45 } }, ['/prices/Black Sofa']])
})

describe('what the schema does not name', () => {
  const chair = { name: 'Red Chair', material: 'oak' }
  const named = object({ name: { type: 'string' } })

  it.each([
    ['goes, at every level', object({ items: { type: 'array', items: named } }), { items: [chair] }, { items: [{ name: 'Red Chair' }] }],
    ['goes without a word, even if it is invented', named, { name: 'Red Chair', maker: 'Smith' }, { name: 'Red Chair' }],
    ['goes where the object may be null', object({ a: { anyOf: [named, { type: 'null' }] } }), { a: chair }, { a: { name: 'Red Chair' } }],
    ['goes where it is forbidden', { type: 'object', additionalProperties: false }, chair, {}],
    ['stays where it is allowed', { ...named, additionalProperties: true }, chair, chair],
    ['stays where another keyword names it', { ...named, patternProperties: { '^mat': { type: 'string' } } }, chair, chair],
    ['stays where one of several alternatives names it', { ...named, anyOf: [object({ material: { type: 'string' } }), object({ price: { type: 'number' } })] }, chair, chair],
    ['stays where nothing is named', { type: 'object' }, chair, chair],
  ])('%s', (_, schema, said, value) => {
    const { value: made, invented, unfit } = judge([{ data: said, evidence: [] }], schema)
    expect([made, invented, unfit]).toEqual([value, [], []])
  })
})

it('names of properties carry no addresses that are neither of the page nor of the schema', () => {
  const named = { 'https://evil.test/?q=secret': 'oak', '![x](https://evil.test)': 'brass', wood: 'oak', 'https://shop.test/chair': 'beech' }
  expect(judged({ text, title: '', urls: ['https://shop.test/chair'], answers: [{ data: { things: [named] } }], draft: null, schema: null })).toMatchObject({
    value: { things: [{ wood: 'oak', 'https://shop.test/chair': 'beech' }] }, invented: [expect.stringContaining('evil.test'), expect.stringContaining('evil.test')],
  })
  expect(judge([{ data: { 'https://a.test/name': 'Red Chair' } }], object({ 'https://a.test/name': { type: 'string' } })).value).toEqual({ 'https://a.test/name': 'Red Chair' })
})

describe('a value from a list', () => {
  const page = 'Condition: used. New arrivals weekly. Sold out for now. It costs 149,00 €, not like new.'
  const chosen = (values: readonly string[], a: string, quote: string): unknown => judged({ text: page, title: '', urls: [], answers: [{ data: { a }, evidence: [{ pointer: '/a', quote }] }], draft: null, schema: object({ a: { enum: values } }) }).value

  it.each([
    [['new', 'used'], 'new', 'Condition: used'],
    [['InStock', 'SoldOut'], 'InStock', 'Sold out for now'],
    [['EUR', 'USD'], 'USD', 'It costs 149,00 €'],
  ])('%j is not %j by a quote that names another', (values, a, quote) => {
    expect(chosen(values, a, quote)).toEqual({ a: null })
  })

  it.each([
    [['new', 'used'], 'used', 'Condition: used'],
    [['new', 'used'], 'new', 'New arrivals weekly'],
    [['InStock', 'SoldOut'], 'SoldOut', 'Sold out for now'],
    [['EUR', 'USD'], 'EUR', 'It costs 149,00 €'],
    [['good', 'bad'], 'bad', 'Condition: used'],
  ])('%j is %j by a quote that names it, or none', (values, a, quote) => {
    expect(chosen(values, a, quote)).toEqual({ a })
  })
})

describe('yes or no', () => {
  const answered = (name: string, a: boolean, quote: string): unknown => judged({ text: `# Lamp\n\n${quote}`, title: '', urls: [], answers: [{ data: { [name]: a }, evidence: [{ pointer: `/${name}`, quote }] }], draft: null, schema: object({ [name]: { type: 'boolean' } }) }).value

  it.each([
    ['inStock', false, 'The lamp is available in stock now'], ['is_in_stock', true, 'This lamp is not in stock.'], ['freeShipping', true, 'We offer no free shipping'], ['inStock', true, 'It is no longer in stock'],
  ])('%s is not %j by a quote that says the opposite', (name, a, quote) => {
    expect(answered(name, a, quote)).toEqual({ [name]: null })
  })

  it.each([
    ['inStock', true, 'The lamp is available in stock now'], ['inStock', false, 'This lamp is not in stock.'], ['inStock', false, 'In stock? Ask us'], ['inStock', false, 'In stock from 1 May'], ['freeShipping', false, 'Free shipping for members'], ['inStock', false, 'Sold out, was in stock'],
    ['inStock', true, 'Not only in stock but cheap'], ['available', false, 'Available to members'], ['inStock', false, 'Currently unavailable in stock'], ['inStock', false, '0 in stock'],
  ])('%s is %j by a quote that may mean it', (name, a, quote) => {
    expect(answered(name, a, quote)).toEqual({ [name]: a })
  })
})
