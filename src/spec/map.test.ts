import { expect, it } from 'vitest'
import { MapRequest } from './map.ts'

it('blank words to search a map for are none', () => {
  const search = (text: string): string | undefined => MapRequest.parse({ url: 'https://a.example/', search: text }).search
  expect([search(''), search(' \n'), search(' tide ')]).toEqual([undefined, undefined, ' tide '])
})
