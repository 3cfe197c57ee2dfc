import { expect, it } from 'vitest'
import { withoutInvented } from './words.ts'

const kept = (said: string): string => withoutInvented({ said, text: 'Sales: −5 % in May, 12 % in June.', title: '', allowed: '' }).text

it('a sign may be expressed in words, but must not be added to a number', () => {
  expect(['Sales fell by 5 %.', 'Sales were at -5 %.', 'They rose by 12 %.'].map(kept)).toEqual(['Sales fell by 5 %.', 'Sales were at -5 %.', 'They rose by 12 %.'])
  expect(kept('Sales were at -12 %.')).toBe('')
})

it('numbers that only the question contains are reported', () => {
  const said = withoutInvented({ said: 'It is 7 kg. It is not 7 kg but 12.', text: 'Weight: 12 kg.', title: '', allowed: 'Is it 7 kg?' })
  expect(said).toEqual({ text: 'It is 7 kg. It is not 7 kg but 12.', invented: [], borrowed: ['7'] })
})

it('sentences are split by the rules of their script', () => {
  const said = (text: string): string => withoutInvented({ said: text, text: '高さは333メートル。 .NET 8', title: '', allowed: '' }).text
  expect(said('港区にあります。高さは333.0メートルです。1959年に完成しました。「はい。」')).toBe('港区にあります。高さは333.0メートルです。「はい。」')
  expect(said('.NET 8 is out. It has 9 parts. Good!')).toBe('.NET 8 is out. Good!')
})
