import { describe, expect, it } from 'vitest'
import { folded } from './folded.ts'

describe('folded', () => {
  it.each([
    ['BULUNAMADI', 'bulunamadı'],
    ['İSTANBUL', 'istanbul'],
    ['Η ΣΕΛΙΔΑ', 'η σελίδα'],
    ['N’EXISTE', "n'existe"],
    ['Está', 'ESTA'],
    ['عذراً', 'عذرا'],
    ['é', 'e\u0301'],
    ['Łódź, Đà Nẵng, Tromsø, Größe', 'LODZ, DA NANG, TROMSO, GROSSE'],
  ])('makes %s and %s one', (a, b) => {
    expect(folded(a)).toBe(folded(b))
  })

  it('leaves letters of other scripts whole', () => {
    expect(folded('ページが 페이지 ไม่พบหน้า नहीं')).toBe('ページが 페이지 ไม่พบหน้า नहीं')
  })
})
