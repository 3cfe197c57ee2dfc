import { expect, it } from 'vitest'
import { finish } from './finish.ts'

const made = (...pages: readonly string[]): ReturnType<typeof finish> => finish({ totalPages: pages.length, pages: pages.map((markdown, i) => ({ pageNumber: i + 1, markdown, needsOcr: false, bullets: [], anchors: [] })), info: {}, warnings: [] }, { mode: 'auto', pages: false, pageMarkers: false, html: false })

it('tells how many letters could not be read, and on which pages', () => {
  const { markdown, warnings } = made('The level was 12\ufffd4 at noon.', 'Nothing is missing here.', 'It was 3\ue0014 and o\ufffdce at night.')
  expect(markdown).toBe('The level was 12\ufffd4 at noon.\n\nNothing is missing here.\n\nIt was 3\ue0014 and o\ufffdce at night.')
  expect(warnings).toEqual(['3 letters on page 1, 3 of the PDF could not be read, as its fonts do not say what they are: the text has "\ufffd" or private codes in their places.'])
})

it('says nothing about icons, which stand alone', () => {
  const { markdown, warnings } = made('\uf095 020 555 0123\n\n\uf7a9 The harbour office')
  expect(markdown).toBe('\uf095 020 555 0123\n\n\uf7a9 The harbour office')
  expect(warnings).toEqual([])
})

it("reads old-style digits, small capitals and signs in Adobe's private codes", () => {
  expect(made('Founded in \uf731\uf739\uf739\uf738 by the town of \uf779\uf76f\uf772\uf76b. Tide\uf8ea is a mark, \uf8e9 2024.')).toMatchObject({ markdown: 'Founded in 1998 by the town of YORK. Tide™ is a mark, © 2024.', warnings: [] })
})
