import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../test/cpu.ts'
import { aligned } from './align.ts'
import { compared } from './index.ts'
import { quiet } from './noise.ts'

const same = (previous: string, current: string): boolean => compared({ previous, current, diff: false }).same
const diff = (previous: string, current: string): NonNullable<ReturnType<typeof compared>['diff']> => {
  const found = compared({ previous, current, diff: true }).diff
  if (found === null) throw new Error('the same')
  return found
}

/** Applies a diff to the file as `patch` does: by the line numbers in the headers, refusing what does not match. */
function patched(text: string, patch: string): string {
  const lines = text.replace(/\n+$/, '').split('\n')
  const out: string[] = []
  let at = 0
  for (const line of patch.split('\n').slice(2, -1)) {
    const header = /^@@ -(\d+),(\d+) \+\d+,\d+ @@$/.exec(line)
    if (header !== null) {
      const start = Number(header[1]) - (header[2] === '0' ? 0 : 1)
      out.push(...lines.slice(at, start))
      at = start
    } else if (line.startsWith('+')) out.push(line.slice(1))
    else {
      expect(lines[at]).toBe(line.slice(1))
      if (line.startsWith(' ')) out.push(line.slice(1))
      at++
    }
  }
  return [...out, ...lines.slice(at)].join('\n')
}

describe('two texts are the same', () => {
  it.each([
    ['blocks in another order', '# Tides\n\nOne.\n\nTwo.', '# Tides\n\nTwo.\n\nOne.'],
    ['entries of a list in another order', '1. North\n2. South', '1. South\n2. North'],
    ['rows of a table in another order', '| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |', '| a | b |\n| --- | --- |\n| 3 | 4 |\n| 1 | 2 |'],
    ['white space', 'One  line\n\n\nTwo', 'One line\n\nTwo\n'],
    ['how long the page took', 'Page generated in 0.123 seconds', 'Page generated in 1.2 seconds'],
    ['how long it took in German', 'Seite erzeugt in 0,12 Sekunden.', 'Seite erzeugt in 0,9 Sekunden.'],
    ['how long it took, without a unit', '| Load time | 0.123 |', '| Load time | 1.2 |'],
    ['queries', '24 queries in 0.051s', '25 queries in 0.1s'],
    ['when it was put together', 'Page rendered at 2026-11-22 04:51:02', 'Page rendered at 2026-11-23 05:00:00'],
    ['the time of the server', 'Server time: 12:04:55', 'Server time: 13:00:01'],
    ['how long ago', 'Posted 5 minutes ago by Ana', 'Posted 2 hours ago by Ana'],
    ['how long ago, just now', 'Updated just now', 'Updated 3 minutes ago'],
    ['how long ago in Spanish', 'Publicado hace 5 minutos', 'Publicado hace 2 horas'],
    ['how long ago in words', 'Publicado hace una hora', 'Publicado hace 2 horas'],
    ['how long ago in Japanese', '5分前', '12分前'],
    ['how long ago in two parts', 'Ana replied 1 week, 2 days ago', 'Ana replied 3 days, 4 hours ago'],
    ['how long ago, about', 'Opened about 2 hours ago', 'Opened almost 2 years ago'],
    ['how long ago in short', 'Seen 2 hrs. ago', 'Seen 5 min. ago'],
    ['how long ago in Italian', 'Pubblicato 3 giorni fa', 'Pubblicato 1 ora fa'],
    ['how long ago in Portuguese', 'Publicado há 2 dias', 'Publicado há uma hora'],
    ['how long ago in Dutch', 'Geplaatst 3 dagen geleden', 'Geplaatst een week geleden'],
    ['how long ago in Russian', 'Обновлено 3 дня назад', 'Обновлено 2 часа назад'],
    ['how long ago in Polish', 'Dodano 3 dni temu', 'Dodano 5 godzin temu'],
    ['how long ago in Turkish', '3 gün önce yazdı', '2 saat önce yazdı'],
    ['how long ago in Korean', '3일 전', '2시간 전'],
    ['when an address was signed', '![A](https://b.s3.test/a.png?X-Amz-Date=20261126T041200Z&X-Amz-Credential=AKIA%2F20261126%2Fs3&X-Amz-Expires=3600)', '![A](https://b.s3.test/a.png?X-Amz-Date=20261127T050000Z&X-Amz-Credential=AKIA%2F20261127%2Fs3&X-Amz-Expires=3600)'],
    ['until when an address holds', '![A](https://b.blob.test/a.png?se=2026-11-26T05%3A00%3A00Z&sig=aaaa)', '![A](https://b.blob.test/a.png?se=2026-11-27T05%3A00%3A00Z&sig=bbbb)'],
    ['time left', 'Sale ends in 2d 4h 5m', 'Sale ends in 1d 23h 1m'],
    ['a counter', '1,234 views', '1,240 views'],
    ['a counter after its name', 'Visitors today: 12', 'Visitors today: 9,812'],
    ['who else is here', '12 people are watching', '3 people are watching'],
    ['a name of the request', 'Request ID: 8f3a-11', 'Request ID: 77aa-90'],
    ['a UUID', 'Ref 0b6f4f3e-7d8b-4a53-9a6e-0c2b1f6f7f11', 'Ref 9d1c0f5a-1b2c-4d3e-8f90-a1b2c3d4e5f6'],
    ['a token in an address', '[Buy](https://shop.test/cart?token=a1b2c3d4&item=7)', '[Buy](https://shop.test/cart?token=ffffffff&item=7)'],
    ['a fresh name of a picture', '![Harbour](https://site.test/harbour.4f3a2b1c9d.jpg)', '![Harbour](https://site.test/harbour.0011223344.jpg)'],
    ['a time in an address', '![A](https://site.test/a.png?_=1700000000)', '![A](https://site.test/a.png?_=1700000999)'],
    ['a counter of the month', '1,234 views this month', '1,240 views this month'],
    ['what the page took', 'Memory: 12.34 MB', 'Memory: 9.8 MB'],
    ['who is online', 'Members: 12 online, 3 guests', 'Members: 14 online, 3 guests'],
    ['a version of a file', '![A](https://site.test/a.png?v=12&w=9)', '![A](https://site.test/a.png?v=13&w=9)'],
    ['a moment in an address', '[Map](https://site.test/map?at=1700000000123)', '[Map](https://site.test/map?at=1800000000456)'],
    ['random words', 'key Zk3jXq81LmP0aT7bVw29RsYe', 'key Qa81mZpL0tX7bVw29RsYek3j'],
  ])('despite %s', (_name, before, after) => {
    expect(before).not.toBe(after)
    expect(same(before, after)).toBe(true)
  })
})

describe('two texts differ', () => {
  it.each([
    ['a price', 'Price: $19.99', 'Price: $24.99'],
    ['a stock', '3 left in stock', '2 left in stock'],
    ['a version', 'Version 1.2.3', 'Version 1.2.4'],
    ['a date', 'Last updated: 5 May 2026', 'Last updated: 6 May 2026'],
    ['how long an order takes', 'Processing time: 3 business days', 'Processing time: 10 business days'],
    ['how long an answer takes', '| Response time | 4 hours |', '| Response time | 24 hours |'],
    ['a term', 'Links expire: expires 30 days after the order', 'Links expire: expires 60 days after the order'],
    ['a time of day', 'Opens at 9:00', 'Opens at 10:00'],
    ['a checksum', 'sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 'sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    ['a rating', 'Rated 4.5 by 12 readers of ours', 'Rated 4.1 by 12 readers of ours'],
    ['an address', '[Guide](https://site.test/guide?page=1)', '[Guide](https://site.test/guide?page=2)'],
    ['how long something was', 'Two weeks, 3 days in all', 'Two weeks, 5 days in all'],
    ['how many steps back', 'На 3 назад', 'На 5 назад'],
    ['a price of little', 'Price per token: 0.0025', 'Price per token: 0.0050'],
    ['what a plan holds', 'Team: 10,000 downloads per month', 'Team: 50,000 downloads per month'],
    ['what a plan holds, with a slash', 'Page views: 10,000 / month', 'Page views: 50,000 / month'],
    ['a limit', 'Up to 10,500 visitors', 'Up to 20,500 visitors'],
    ['what a machine has', 'Memory: 8 GB', 'Memory: 16 GB'],
    ['what is left online', '3 online tickets left', '9 online tickets left'],
    ['which video', '[Watch](https://www.youtube.com/watch?v=dQw4w9WgXcQ)', '[Watch](https://www.youtube.com/watch?v=oHg5SJYRHA0)'],
    ['which topic', '[Rules](https://site.test/viewtopic.php?t=120)', '[Rules](https://site.test/viewtopic.php?t=121)'],
    ['which release', '[Get it](https://site.test?version=1.2.3)', '[Get it](https://site.test?version=1.3.0)'],
    ['which product', '[Buy](https://site.test/item?ean=4006381333931)', '[Buy](https://site.test/item?ean=4006381333948)'],
    ['of which day a file is', '[Prices](https://site.test/prices-20261101.pdf)', '[Prices](https://site.test/prices-20261201.pdf)'],
    ['of which minute a file is', '[Log](https://site.test/log.202611010930.csv)', '[Log](https://site.test/log.202611010945.csv)'],
    ['which number a file has', '[Form](https://site.test/form-10023456.pdf)', '[Form](https://site.test/form-10023457.pdf)'],
    ['the number of times that a block stands there', 'sold\n\nsold', 'sold'],
    ['the order of lines of code', '```\na = 1\nb = a\n```', '```\nb = a\na = 1\n```'],
    ['noise within code', '```\n5 minutes ago\n```', '```\n6 minutes ago\n```'],
    ['a text that is gone', '# A\n\nText', ''],
  ])('in %s', (_name, before, after) => {
    expect(same(before, after)).toBe(false)
  })
})

describe('a difference', () => {
  it('is returned as a unified diff and as chunks', () => {
    const before = '# Lamps\n\nOld price: 12\n\nIn stock.\n'
    const after = '# Lamps\n\nOld price: 14\n\nIn stock.\n'
    expect(diff(before, after)).toEqual({
      text: '--- previous\n+++ current\n@@ -1,5 +1,5 @@\n # Lamps\n \n-Old price: 12\n+Old price: 14\n \n In stock.\n',
      json: { files: [{ from: 'previous', to: 'current', chunks: [{
        content: '@@ -1,5 +1,5 @@',
        changes: [
          { type: 'normal', normal: true, ln1: 1, ln2: 1, content: ' # Lamps' },
          { type: 'normal', normal: true, ln1: 2, ln2: 2, content: ' ' },
          { type: 'del', del: true, ln: 3, content: '-Old price: 12' },
          { type: 'add', add: true, ln: 3, content: '+Old price: 14' },
          { type: 'normal', normal: true, ln1: 4, ln2: 4, content: ' ' },
          { type: 'normal', normal: true, ln1: 5, ln2: 5, content: ' In stock.' },
        ],
      }] }] },
    })
  })

  it('leaves noise as it was', () => {
    expect(diff('12 views\n\nA\n', '99 views\n\nB\n').text).toBe('--- previous\n+++ current\n@@ -1,3 +1,3 @@\n 12 views\n \n-A\n+B\n')
  })

  it('has a chunk for each place, which applies to the old text', () => {
    const lines = Array.from({ length: 60 }, (_, i) => `Line number ${i}`)
    const changed = lines.flatMap((line, i) => (i === 3 ? [] : i === 30 ? [line, 'A new line'] : i === 58 ? ['Another last'] : [line]))
    const { text, json } = diff(lines.join('\n'), changed.join('\n'))
    expect(json.files[0]?.chunks.map(({ content }) => content)).toEqual(['@@ -1,7 +1,6 @@', '@@ -29,6 +28,7 @@', '@@ -56,5 +56,5 @@'])
    expect(patched(lines.join('\n'), text)).toBe(changed.join('\n'))
  })

  it.each([['', 'a\nb'], ['a\nb', ''], ['a', 'a\nb'], ['b', 'a\nb'], ['x\ny\nz', 'p\nq']])('between %j and %j applies', (before, after) => {
    expect(patched(before, diff(before, after).text)).toBe(after)
  })

  it('between texts with very many lines is found', () => {
    const lines = Array.from({ length: 200_000 }, (_, at) => String(at))
    expect(aligned(['a', ...lines, 'b'], ['c', ...lines, 'd']).map(({ same: alike, from, to }) => [alike, from, to])).toEqual([[false, 0, 1], [true, 1, 200_001], [false, 200_001, 200_002]])
  })

  it('between any two texts applies', () => {
    let seed = 7
    const chance = (n: number): number => (seed = (seed * 48_271) % 2_147_483_647) % n
    for (let round = 0; round < 60; round++) {
      const before = Array.from({ length: chance(40) + 1 }, () => `w${chance(12)}`)
      const after = before.flatMap((line) => (chance(5) === 0 ? [] : chance(6) === 0 ? [line, `n${chance(9)}`] : [line]))
      const [a, b] = [before.join('\n'), after.join('\n')]
      if (!same(a, b)) expect(patched(a, diff(a, b).text)).toBe(b)
    }
  })
})

describe('the cost of comparing', () => {
  it.each([
    ['one line of digits', '1'.repeat(300_000), '1'.repeat(300_001)],
    ['words that begin a rule', 'generated at '.repeat(30_000), 'generated at '.repeat(30_001)],
    ['addresses', '](https://a/?t=1&'.repeat(20_000), '](https://a/?t=1&'.repeat(20_001)],
    ['many lines, all others', Array.from({ length: 20_000 }, (_, i) => `a${i}`).join('\n'), Array.from({ length: 20_000 }, (_, i) => `b${i}`).join('\n')],
    ['many lines, all alike', 'x\n'.repeat(20_000), `${'x\n'.repeat(20_100)}y`],
    ['many lines in reverse', Array.from({ length: 20_000 }, (_, i) => `a${i}`).join('\n'), `${Array.from({ length: 20_000 }, (_, i) => `a${20_000 - i}`).join('\n')}`],
  ])('is bounded for %s', (_name, previous, current) => {
    expect(cpuMs(() => compared({ previous, current, diff: true }))).toBeLessThan(3_000)
  })

  it('does not change a line without numbers', () => {
    expect(quiet('  - A  plain line ')).toBe('A plain line')
  })
})
