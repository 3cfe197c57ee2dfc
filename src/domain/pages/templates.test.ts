import { describe, expect, it } from 'vitest'
import { type Lifted, noTemplate, observed, type Rule, type Sample, suffices, type Template } from './templates.ts'

const rule = (path: string, label: string | null = null): Rule => ({ path, label, form: 'text', before: '', after: '' })
let pages = 0
/** A page with these model values. Each rule gives the same value, except those in `others`. */
const page = (name: Lifted, rules: readonly Rule[] = [rule('a')], lifted: Lifted = name): Sample => ({ url: `u${pages++}`, values: { name }, traces: { name: name === null ? [] : rules }, lifted: { name: lifted } })
const after = (samples: readonly Sample[], from: Template = noTemplate): Template => samples.reduce(observed, from)
const many = (count: number, make: (at: number) => Sample): readonly Sample[] => Array.from({ length: count }, (_, at) => make(at))
const trusted = (): Template => after(many(7, (at) => page(`n${at}`)))

describe('a template', () => {
  it('is trusted after four pages that support its rules and three on which they agree with the model', () => {
    expect([3, 4, 6, 7].map((count) => after(many(count, (at) => page(`n${at}`))).phase)).toEqual(['learning', 'checking', 'checking', 'trusted'])
    expect(trusted().rules).toEqual({ name: [rule('a')] })
  })

  it('prefers rules that check the text before a value', () => {
    expect(after(many(4, (at) => page(`n${at}`, [rule('a'), rule('a', 'By')]))).rules).toEqual({ name: [rule('a', 'By')] })
  })

  it('is not learned from one page that is asked about repeatedly, nor from pages that all have the same value', () => {
    expect(after(many(7, () => ({ ...page('x'), url: 'same' }))).phase).toBe('learning')
    expect(after(many(7, () => page('x'))).phase).toBe('learning')
  })

  it('replaces the model only if it gives all values that are not optional', () => {
    const template = after([page(null), ...many(5, (at) => page(`n${at}`))])
    expect([template.phase, template.optional]).toEqual(['checking', ['name']])
    expect([suffices(trusted(), { name: 'x' }, ['name']), suffices(trusted(), { name: null }, ['name']), suffices(trusted(), { name: 'x' }, ['name', 'other']), suffices(template, { name: 'x' }, ['name'])]).toEqual([true, false, false, false])
  })

  it('survives one deceptive page, during and after learning', () => {
    const lie = page('lie', [rule('elsewhere')], 'truth')
    expect(after([page('n0'), lie, page('n2'), page('n3'), page('n4')]).rules).toEqual({ name: [rule('a')] })
    const doubted = observed(trusted(), lie)
    expect([doubted.phase, doubted.rules]).toEqual(['checking', trusted().rules])
    expect(after(many(3, (at) => page(`m${at}`)), doubted).phase).toBe('trusted')
  })

  it('is learned again after two disagreements in a row, and given up if that never ends', () => {
    const moved = (at: number): Sample => page(`n${at}`, [rule('b')], null)
    const twice = after(many(2, moved), trusted())
    expect([twice.phase, twice.samples.length, twice.rules]).toEqual(['learning', 1, {}])
    expect(after(many(60, (at) => page(`n${at}`, [rule(`path ${at}`)]))).phase).toBe('given-up')
  })
})
