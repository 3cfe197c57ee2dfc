import { zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { readDocument } from './read.ts'

async function htmlOf(bytes: Uint8Array): Promise<string> {
  const reply = await readDocument(bytes)
  return 'converted' in reply ? reply.converted.html.replaceAll('\n', '') : reply.problem
}

it('numbers of an RTF file that no list of HTML has are part of the text, and those of headings', async () => {
  const paragraph = (marker: string, text: string, more = ''): string => `\\pard\\plain ${more}{\\listtext ${marker}\\tab}\\ls1 ${text}\\par`
  const styles = '{\\stylesheet{\\s1 heading 1;}{\\s2 heading 2;}}'
  const marked = (all: readonly string[]): Buffer => Buffer.from(`{\\rtf1\\ansi${styles}${all.join('')}}`, 'latin1')
  expect(await htmlOf(marked([paragraph('2', 'Terms', '\\s1 '), paragraph('2.1', 'Lock', '\\s2 ')]))).toBe('<h1>2 Terms</h1><h2>2.1 Lock</h2>')
  expect(await htmlOf(marked([paragraph("\\'a7 1", 'Duty'), paragraph('(a)', 'on time', '\\ilvl1 '), paragraph('(b)', 'in full', '\\ilvl1 '), paragraph('1.1', 'Law')]))).toBe('<p>§ 1 Duty</p><ol><li>on time</li><li>in full</li></ol><p>1.1 Law</p>')
  expect(await htmlOf(marked([paragraph('o', 'Letter'), paragraph("\\'a7", 'Sign'), paragraph("\\'b7", 'Point')]))).toBe('<ul><li>Letter</li><li>Sign</li><li>Point</li></ul>')
})

it('a book says which of its boxes are ticked', async () => {
  const files = {
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>',
    'book.opf': '<package><manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>',
    'c.xhtml': '<html><body><ul><li><input type="checkbox"/>open</li><li><input type="checkbox" checked=""/>done</li></ul></body></html>',
  }
  expect(await htmlOf(zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]))))).toBe('<section><ul><li><input type="checkbox">open</li><li><input type="checkbox" checked="">done</li></ul></section>')
})

it('what a book does not display is left out, except for its notes; chapters that it lacks are told', async () => {
  const body = '<p>Seen <span hidden="">not</span>text</p><div style="color: red; display:none"><p>Secret <b>one</b><br/></p></div><p style="visibility: hidden">two</p><aside epub:type="footnote" hidden="">Note</aside><p>End</p>'
  const files = {
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>',
    'book.opf': '<package><manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>',
    'c.xhtml': `<html><body>${body}</body></html>`,
  }
  const bytes = zipSync(Object.fromEntries(Object.entries({ ...files, 'book.opf': files['book.opf'].replace('</manifest><spine>', '<item id="d" href="d.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="d"/>') }).map(([path, text]) => [path, Buffer.from(text)])))
  const lacking = await readDocument(bytes)
  expect('converted' in lacking && lacking.converted.warnings).toEqual(['Chapters that the file does not hold are left out (1).'])
  expect(await htmlOf(zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]))))).toBe('<section><p>Seen text</p><aside epub:type="footnote">Note</aside><p>End</p></section>')
})
