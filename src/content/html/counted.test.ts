import { expect, it } from 'vitest'
import { readDefaults } from '../../domain/pages/reading.ts'
import { read } from '../reading.ts'

function markdownOf(body: string): string {
  const html = `<!doctype html><title>Skiff</title><body><nav><a href=/a>Boats</a></nav>${body}</body>`
  return read({ requestedUrl: 'https://docs.example/skiff', url: 'https://docs.example/skiff', status: 200, headers: [['content-type', 'text/html']], body: Buffer.from(html), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }, readDefaults).markdown()
}

const prose = 'A skiff of oak and larch, built in the winter and launched at Easter, for two who row and one who sleeps.'

const number = (attributes: string, text = '0'): string => `<p><span ${attributes}>${text}</span> boats</p>`

it('says how far a number is counted up', () => {
  const body = [
    number('class="elementor-counter-number" data-to-value="125000" data-from-value="0" data-delimiter=","'),
    number('class="counter" data-count="350"'),
    number('class="purecounter" data-purecounter-end="4.5"', '3'),
    number('class="counter" data-target="#all"'),
    number('class="price" data-to="9"', '7'),
  ]
  expect(markdownOf(`<main><h1>Skiff</h1><p>${prose}</p>${body.join('')}</main>`)).toMatch(/125,000 boats\n\n350 boats\n\n4\.5 boats\n\n0 boats\n\n7 boats\n$/)
})

it.each([
  ['of a sum that has come in', 'class="goal-counter" data-target="50000"', '31250'],
  ['of what is there by now', 'class="count" data-target="100"', '37'],
  ['of a countdown', 'class="countdown" data-to="1760000000"', '12'],
  ['of a countdown that has ended', 'class="countdown" data-to="1760000000"', '0'],
  ['of a countdown in two words', 'class="count-down" data-to="1760000000"', '0'],
  ['of a price', 'class="discount-price" data-target="12345"', '9.99'],
  ['of an account', 'class="account" data-count="7"', '0'],
  ['of a country', 'class="country" data-count="7"', '0'],
  ['of an encounter', 'class="encounter" data-count="7"', '0'],
  ['that is counted up to already', 'class="counter" data-count-to="1234567"', '1,234,567'],
  ['with another count', 'class="counter" data-count="1234567"', '1,234'],
])('keeps the number %s', (_, attributes, text) => {
  expect(markdownOf(`<main><h1>Skiff</h1><p>${prose}</p>${number(attributes, text)}</main>`)).toMatch(new RegExp(`\\n${text.replaceAll('.', '\\.')} boats\\n$`))
})

it.each([
  ['class="counterup" data-from="100" data-to="2500"', '100', '2500'],
  ['class="counter" data-from="1000" data-to="2500"', '1,000', '2500'],
  ['class="statsCounter" data-count="12345" data-delimiter="<"', '0', '12345'],
  ['class="counter-value" data-count="12345" data-delimiter="x"', '0', '12345'],
  ['class="counter" data-count="12345" data-delimiter="."', '0', '12.345'],
  ['class="counter" data-count="12345.6" data-delimiter="."', '0', '12345.6'],
  ['class="counter" data-count="12345.6" data-delimiter=","', '0', '12,345.6'],
])('says how far a number is counted up: %s', (attributes, text, expected) => {
  expect(markdownOf(`<main><h1>Skiff</h1><p>${prose}</p>${number(attributes, text)}</main>`)).toMatch(new RegExp(`\n${expected.replaceAll('.', '\\.')} boats\n$`))
})
