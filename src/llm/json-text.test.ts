import { describe, expect, it } from 'vitest'
import { bareText, jsonIn } from './json-text.ts'

describe('the JSON in an answer', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['```json\n{"a":1}\n```', { a: 1 }],
    ['Sure! Here:\n```json\n{"a":1}\n```\nHope {this} helps!', { a: 1 }],
    ['By passage [1] of {the page}: {"a": {"b": "}"}}. See [2].', { a: { b: '}' } }],
    ['I want {data}…\n</think>\n{"a":1}', { a: 1 }],
    ['{data: {a: 1, b: \'x\',},}', { data: { a: 1, b: 'x' } }],
    ['[{"a":1},{"a":2}]', [{ a: 1 }, { a: 2 }]],
  ])('%j is found', (text, value) => {
    expect(jsonIn(text)).toEqual({ value, cut: false })
  })

  it.each([
    ['{"data":{"a":"x","b":12', { data: { a: 'x' } }],
    ['{"data":{"a":"x","b":"Acme Corp', { data: { a: 'x' } }],
    ['{"data":{"a":"x","b', { data: { a: 'x' } }],
    ['{"data":{"a":"x","b":', { data: { a: 'x' } }],
    ['{"delete":[1, 12, 3', { delete: [1, 12] }],
    ['{"data":{"a":"x","b":true', { data: { a: 'x' } }],
    ['Here: ```json\n{"data":[{"a":1},{"a":2,"b":"he said \\"no', { data: [{ a: 1 }, { a: 2 }] }],
  ])('in %j ends with its last complete value', (text, value) => {
    expect(jsonIn(text)).toEqual({ value, cut: true })
  })

  it('of a text without its last brackets is complete', () => {
    expect(jsonIn('{"data":{"a":"x","b":"whole"')).toEqual({ value: { data: { a: 'x', b: 'whole' } }, cut: true })
    expect(jsonIn("```json\n{data: {a: 120, b: 'wind',}, evidence: []\n```")).toEqual({ value: { data: { a: 120, b: 'wind' }, evidence: [] }, cut: true })
  })

  it.each(['', 'no', 'true', '"x"', '<think>{"a":1}', '{'.repeat(50_000)])('is not found in %j', (text) => {
    expect(jsonIn(text)?.value ?? {}).toEqual({})
  })
})

describe('the cleaned text of an answer', () => {
  it.each([
    ['<think>Hm.</think>\nYes.', 'Yes.'],
    ['Hm, a question.\n</think>\n\nYes.', 'Yes.'],
    ['<think>Hm, I never', ''],
    ['<thinking>\nHm.\n</thinking>Yes.', 'Yes.'],
    ['The tag <think> opens, and </think> closes it.', 'The tag <think> opens, and </think> closes it.'],
    ['```\nYes.\n```', 'Yes.'],
  ])('of %j is %j', (text, bare) => {
    expect(bareText(text)).toBe(bare)
  })
})
