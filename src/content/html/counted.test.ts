import { expect, it } from 'vitest'
import { readDefaults } from '../../domain/pages/reading.ts'
import { read } from '../reading.ts'

function markdownOf(body: string): string {
  const html = `<!doctype html><title>Skiff</title><body><nav><a href=/a>Boats</a></nav>${body}</body>`
  return read({ requestedUrl: 'https://docs.example/skiff', url: 'https://docs.example/skiff', status: 200, headers: [['content-type', 'text/html']], body: Buffer.from(html), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }, readDefaults).markdown()
}

const prose = 'A skiff of oak and larch, built in the winter and launched at Easter, for two who row and one who sleeps.'

it('says how far a number is counted up', () => {
  const number = (attributes: string, text = '0'): string => `<p><span ${attributes}>${text}</span> boats</p>`
  const body = [
    number('class="elementor-counter-number" data-to-value="125000" data-from-value="0" data-delimiter=","'),
    number('class="counter" data-count="350"'),
    number('class="purecounter" data-purecounter-end="4.5"', '3'),
    number('class="counter" data-target="#all"'),
    number('class="price" data-to="9"', '7'),
  ]
  expect(markdownOf(`<main><h1>Skiff</h1><p>${prose}</p>${body.join('')}</main>`)).toMatch(/125,000 boats\n\n350 boats\n\n4\.5 boats\n\n0 boats\n\n7 boats\n$/)
})
