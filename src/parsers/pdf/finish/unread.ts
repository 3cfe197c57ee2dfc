import { pageRanges } from './page-ranges.ts'

/** Matches what stands for a letter that could not be read: its sign, or a private code next to letters. Alone, such a code is an icon. */
const unread = /\ufffd|(?<=[\p{L}\p{N}])[\ue000-\uf8ff]|[\ue000-\uf8ff](?=[\p{L}\p{N}])/gu

/** A warning about letters of the text that could not be read. */
export function unreadWarning(pages: readonly { readonly pageNumber: number; readonly text: string }[]): readonly string[] {
  const found = pages.flatMap(({ pageNumber, text }) => {
    const count = text.match(unread)?.length ?? 0
    return count === 0 ? [] : [{ pageNumber, count }]
  })
  const all = found.reduce((sum, { count }) => sum + count, 0)
  if (all === 0) return []
  return [`${all === 1 ? 'One letter' : `${all} letters`} on page ${pageRanges(found.map(({ pageNumber }) => pageNumber))} of the PDF could not be read, as its fonts do not say what they are: the text has "\ufffd" or private codes in their places.`]
}
