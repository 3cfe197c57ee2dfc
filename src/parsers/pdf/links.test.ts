import { expect, it } from 'vitest'
import { cpuMs } from '../../../test/cpu.ts'
import { withLinks } from './links.ts'

const url = 'https://example.org/'

it('writes links around their words, in order, and not within others or code', () => {
  const link = (text: string): { text: string; url: string } => ({ text, url })
  expect(withLinks('The tide and the pier. The tide.', [link('tide'), link('quay'), link('tide')])).toBe(`The [tide](${url}) and the pier. The [tide](${url}).`)
  expect(withLinks('[The tide](https://example.org/a) is high.\n\nThe tide.', ['tide', 'is high', 'tide'].map(link))).toBe(`[The tide](https://example.org/a) [is high](${url}).\n\nThe [tide](${url}).`)
  expect(withLinks('The tides are high. 潮位は高い。', ['tide', 'high', '潮位'].map(link))).toBe(`The tides are [high](${url}). [潮位](${url})は高い。`)
})

it('searches a page once for words that are not there', () => {
  const anchors = Array.from({ length: 5_000 }, (_, i) => ({ text: i % 2 === 0 ? 'high tide' : `quay ${i}`, url: `${url}${i}` }))
  expect(cpuMs(() => void withLinks('the tide is high at noon '.repeat(5_000), anchors))).toBeLessThan(1_000)
})
