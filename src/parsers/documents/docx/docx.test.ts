import { zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { type DocumentReply, readDocument } from '../read.ts'

const relations = (type: string, target: string): string => `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/></Relationships>`
const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

async function replyOf(body: string, styles = ''): Promise<DocumentReply> {
  const files = {
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': relations('officeDocument', 'word/document.xml'),
    'word/_rels/document.xml.rels': relations('styles', 'styles.xml').replace('</Relationships>', '<Relationship Id="r2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/numbering" Target="numbering.xml"/></Relationships>'),
    'word/numbering.xml': `<w:numbering ${word}>${['bullet', 'decimal', 'bullet'].map((kind, i) => `<w:abstractNum w:abstractNumId="${i}"><w:lvl w:ilvl="0"><w:numFmt w:val="${kind}"/>${i === 2 ? '<w:lvlText w:val=" "/>' : ''}<w:pStyle w:val="List${['Bullet', 'Number', 'Continue'][i] ?? ''}"/></w:lvl></w:abstractNum><w:num w:numId="${i + 1}"><w:abstractNumId w:val="${i}"/></w:num>`).join('')}</w:numbering>`,
    'word/styles.xml': `<w:styles ${word}>${styles}</w:styles>`,
    'word/document.xml': `<w:document ${word}><w:body>${body}</w:body></w:document>`,
  }
  return readDocument(zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]))))
}

async function htmlOf(body: string, styles = ''): Promise<string> {
  const reply = await replyOf(body, styles)
  if (!('converted' in reply)) throw new Error(reply.problem)
  return reply.converted.html
}
/** Styles as in Word: each of them has numbering on the first level. */
const style = (name: string): string => `<w:style w:type="paragraph" w:styleId="${name.replaceAll(' ', '')}"><w:name w:val="${name}"/><w:pPr><w:numPr><w:numId w:val="${name.includes('Bullet') ? 1 : 2}"/></w:numPr></w:pPr></w:style>`
const names = ['List Bullet', 'List Bullet 2', 'List Bullet 3', 'List Number', 'List Number 2']
const items = (...all: readonly (readonly [string, string])[]): string => all.map(([name, text]) => `<w:p><w:pPr><w:pStyle w:val="${name.replaceAll(' ', '')}"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`).join('')

it('lists have the levels in the names of their styles', async () => {
  const html = await htmlOf(items(['List Bullet', 'One'], ['List Bullet 2', 'Deep'], ['List Bullet 3', 'Deeper'], ['List Bullet', 'Two'], ['List Number', 'First'], ['List Number 2', 'Part'], ['List Number', 'Second']), names.map(style).join(''))
  expect(html).toBe('<ul><li>One<ul><li>Deep<ul><li>Deeper</li></ul></li></ul></li><li>Two</li></ul><ol><li>First<ol><li>Part</li></ol></li><li>Second</li></ol>')
})

it('the text of fields, of runs with their own direction, and of ruby bases is kept', async () => {
  const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
  const caption = `<w:p>${run('Figure ')}<w:fldSimple w:instr=" SEQ Figure \\* ARABIC ">${run('3')}</w:fldSimple>${run(': The old lock')}</w:p>`
  const turned = `<w:p><w:bdo w:val="rtl">${run('הנמל')}</w:bdo>${run(' ')}<w:dir w:val="ltr">${run('Harbour')}</w:dir></w:p>`
  const read = `<w:p><w:r><w:ruby><w:rubyPr><w:hps w:val="10"/></w:rubyPr><w:rt>${run('みなと')}</w:rt><w:rubyBase>${run('港')}</w:rubyBase></w:ruby></w:r>${run('の水位')}</w:p>`
  expect(await htmlOf(caption + turned + read)).toBe('<p>Figure 3: The old lock</p><p>הנמל Harbour</p><p>港の水位</p>')
})

it('checkboxes show whether they are checked', async () => {
  const box = (ticked: boolean): string => `<w:sdt><w:sdtPr><w14:checkbox xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"><w14:checked w14:val="${ticked ? 1 : 0}"/></w14:checkbox></w:sdtPr><w:sdtContent><w:r><w:t>${ticked ? '☒' : '☐'}</w:t></w:r></w:sdtContent></w:sdt>`
  const asked = (name: string, ticked: boolean): string => `<w:r><w:t xml:space="preserve">${name} </w:t></w:r>${box(ticked)}`
  expect(await htmlOf(`<w:p>${asked('Yes', true)}${asked(' No', false)}</w:p>`)).toBe('<p>Yes ☒ No ☐</p>')
})

it('a text with missing notes and link targets is read, with a warning about parts in separate files', async () => {
  const related = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
  const note = (kind: string): string => `<w:p><w:r><w:t>Depth</w:t></w:r><w:r><w:${kind}Reference w:id="7"/></w:r></w:p>`
  expect(await htmlOf(`${note('footnote')}${note('endnote')}<w:p><w:hyperlink ${related} r:id="gone" w:history="1"><w:r><w:t>Tables</w:t></w:r></w:hyperlink></w:p>`)).toBe('<p>Depth</p><p>Depth</p><p>Tables</p>')
  const reply = await replyOf(`<w:p><w:r><w:t>Before</w:t></w:r></w:p><w:altChunk ${related} r:id="r2"/>`)
  expect(reply).toMatchObject({ converted: { html: '<p>Before</p>', warnings: ['Parts of the document that are files of their own are left out (1).'] } })
})

it('a blank for a bullet stands before further paragraphs of an item, which are no items', async () => {
  const item = (list: number, text: string, look = ''): string => `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="${list}"/></w:numPr></w:pPr><w:r>${look}<w:t xml:space="preserve">${text}</w:t></w:r></w:p>`
  expect(await htmlOf(item(2, 'One') + item(3, 'More of it') + item(3, 'x = 1', '<w:rPr><w:rFonts w:ascii="Courier New"/></w:rPr>') + item(2, 'Two') + '<w:p><w:r><w:t>End</w:t></w:r></w:p>')).toBe('<ol><li>One</li></ol><p>More of it</p><pre>x = 1</pre><ol start="2"><li>Two</li></ol><p>End</p>')
})
