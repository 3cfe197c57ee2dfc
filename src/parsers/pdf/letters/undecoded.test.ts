import { expect, it } from 'vitest'
import { undecodedPages } from './undecoded.ts'

const lines = (...texts: readonly string[]): Parameters<typeof undecodedPages>[0] extends ReadonlyMap<number, infer Items> ? Items : never => texts.map((text, i) => ({ text, x: 72, y: 700 - 14 * i, width: text.length * 5, height: 10, itemType: 'Text' }))

it('selects pages whose words run together for a second reading, but no pages of long names or of letters without words', () => {
  const together = lines('0.ThisLicenseappliestoanyprogramorotherworkwhichcontainsanoticeplacedbythecopyright', 'holdersayingitmaybedistributedunderthetermsofthisGeneralPublicLicense.')
  const words = lines('This License applies to any program or other work which contains a notice placed by the copyright', 'holder, or to AbstractSingletonProxyFactoryBean of the same.')
  const sequence = lines('ACGTTTACGGACTTACGGACTTACGGACCCATATATTTACGGACGACTTTACCA', 'of a gene')
  expect(undecodedPages(new Map([[1, together], [2, words], [3, sequence]]))).toEqual(new Map([[1, 'letters']]))
})
