import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { readDocument } from '../read.ts'

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const names = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${office}" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"`

interface Parts {
  readonly styles?: string
  readonly levels?: readonly (readonly [format: string, text: string])[]
  readonly nums?: string
  readonly more?: Readonly<Record<string, string>>
  readonly separator?: string
}

async function htmlOf(body: string, { styles = '', levels = [], nums = '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>', more = {}, separator = '/' }: Parts = {}): Promise<string> {
  const relation = (id: string, type: string, target: string): string => `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`
  const relations = (all: string): string => `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all}</Relationships>`
  const list = levels.map(([format, text], i) => `<w:lvl w:ilvl="${i}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`).join('')
  const files = {
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': relations(relation('r1', 'officeDocument', 'word/document.xml')),
    'word/_rels/document.xml.rels': relations(relation('s', 'styles', 'styles.xml') + relation('n', 'numbering', 'numbering.xml') + relation('c', 'chart', 'charts/one.xml') + relation('d', 'diagramData', 'diagrams/one.xml') + relation('i', 'image', 'media/one.emf')),
    'word/numbering.xml': `<w:numbering ${names}><w:abstractNum w:abstractNumId="0">${list}</w:abstractNum>${nums}</w:numbering>`,
    'word/styles.xml': `<w:styles ${names}>${styles}</w:styles>`,
    'word/document.xml': `<w:document ${names}><w:body>${body}</w:body></w:document>`,
    ...more,
  }
  const reply = await readDocument(zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path.replaceAll('/', separator), Buffer.from(text)]))))
  if (!('converted' in reply)) throw new Error(reply.problem)
  return reply.converted.html
}

const run = (text: string, look = ''): string => `<w:r><w:rPr>${look}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
const paragraph = (content: string, properties = ''): string => `<w:p><w:pPr>${properties}</w:pPr>${content.startsWith('<') ? content : run(content)}</w:p>`
const styled = (id: string): string => `<w:pStyle w:val="${id}"/>`
const style = (id: string, name: string, { based = '', paragraph: own = '', run: letters = '' } = {}): string => `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${based === '' ? '' : `<w:basedOn w:val="${based}"/>`}<w:pPr>${own}</w:pPr><w:rPr>${letters}</w:rPr></w:style>`
const item = (text: string, level = 0, list = 1): string => paragraph(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`)

describe('headings', () => {
  it('are paragraphs with an outline level, of their own or of a style that theirs is based on', async () => {
    const styles = style('H1', 'heading 1') + style('Mine', 'Chapter', { based: 'H1' }) + style('Deep', 'heading 8', { paragraph: '<w:outlineLvl w:val="7"/>' }) + style('Toc', 'TOC Heading', { based: 'H1', paragraph: '<w:outlineLvl w:val="9"/>' })
    expect(await htmlOf(paragraph('Locks', styled('Mine')) + paragraph('Gates', '<w:outlineLvl w:val="1"/>') + paragraph('Hinges', styled('Deep')) + paragraph('Contents', styled('Toc')), { styles })).toBe('<h1>Locks</h1><h2>Gates</h2><h6>Hinges</h6><p>Contents</p>')
  })

  it('have their displayed numbers, those of outer levels included', async () => {
    const styles = style('H1', 'heading 1', { paragraph: '<w:numPr><w:numId w:val="1"/></w:numPr>' }) + style('H2', 'heading 2', { paragraph: '<w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr>' })
    const body = [['H1', 'Scope'], ['H1', 'Terms'], ['H2', 'Lock'], ['H2', 'Pier']].map(([id = '', text = '']) => paragraph(text, styled(id))).join('')
    expect(await htmlOf(body, { styles, levels: [['upperRoman', '%1'], ['decimal', '%1.%2']] })).toBe('<h1>I Scope</h1><h1>II Terms</h1><h2>II.1 Lock</h2><h2>II.2 Pier</h2>')
  })
})

describe('lists', () => {
  it('go on behind other paragraphs, and begin where the file says', async () => {
    const nums = [1, 2].map((id) => `<w:num w:numId="${id}"><w:abstractNumId w:val="0"/>${id === 2 ? '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride>' : ''}</w:num>`).join('')
    expect(await htmlOf(item('One') + paragraph('Between') + item('Two') + item('Seven', 0, 2), { levels: [['decimal', '%1.']], nums })).toBe('<ol><li>One</li></ol><p>Between</p><ol start="2"><li>Two</li><li value="7">Seven</li></ol>')
  })

  it('go on behind an outer item where their level does not begin anew', async () => {
    const level = (depth: number, more: string): string => `<w:lvl w:ilvl="${depth}"><w:start w:val="1"/><w:numFmt w:val="decimal"/>${more}<w:lvlText w:val="%${depth + 1}."/></w:lvl>`
    const outline = (restart: string): string => `<w:numbering ${names}><w:abstractNum w:abstractNumId="0">${level(0, '')}${level(1, '')}${level(2, restart)}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`
    const body = item('A') + item('B', 1) + item('C', 2) + item('D', 1) + item('E', 2) + item('F') + item('G', 1) + item('H', 2)
    const read = (restart: string): Promise<string> => htmlOf(body, { more: { 'word/numbering.xml': outline(restart) } })
    const list = (e: string, h: string): string => `<ol><li>A<ol><li>B<ol><li>C</li></ol></li><li>D<ol${e}><li>E</li></ol></li></ol></li><li>F<ol><li>G<ol${h}><li>H</li></ol></li></ol></li></ol>`
    expect(await read('')).toBe(list('', ''))
    expect(await read('<w:lvlRestart w:val="0"/>')).toBe(list(' start="2"', ' start="3"'))
    expect(await read('<w:lvlRestart w:val="1"/>')).toBe(list(' start="2"', ''))
  })

  it('have the kind of number that they are displayed with', async () => {
    expect(await htmlOf(item('One') + item('Part', 1) + item('Other', 1) + item('Two'), { levels: [['decimal', '%1.'], ['lowerLetter', '(%2)']] })).toBe('<ol><li>One<ol type="a"><li>Part</li><li>Other</li></ol></li><li>Two</li></ol>')
  })

  it('are paragraphs with their marker where HTML has none like it, and without one where none is displayed', async () => {
    expect(await htmlOf(item('Duty') + item('on time', 1) + item('Law'), { levels: [['decimal', '§ %1'], ['lowerLetter', '(%2)']] })).toBe('<p>§ 1 Duty</p><p>(a) on time</p><p>§ 2 Law</p>')
    expect(await htmlOf(item('Delivery') + item('is free', 1) + item('Law'), { levels: [['decimal', '%1.'], ['decimal', '%1.%2']] })).toBe('<ol><li>Delivery</li></ol><p>1.1 is free</p><ol start="2"><li>Law</li></ol>')
    expect(await htmlOf(item('Bare'), { levels: [['none', '']] })).toBe('<p>Bare</p>')
  })
})

describe('letters', () => {
  it('that are hidden are left out, by their own look or by their style', async () => {
    const hidden = '<w:vanish/>'
    const body = paragraph(run('Seen ') + run('secret ', hidden) + run('text')) + paragraph('Secret', styled('Hid')) + paragraph(run('Shown', '<w:vanish w:val="0"/>'), styled('Hid'))
    expect(await htmlOf(body, { styles: style('Hid', 'Hidden', { run: hidden }) })).toBe('<p>Seen text</p><p>Shown</p>')
  })

  it('in a symbol font are the signs that they stand for', async () => {
    const font = (name: string): string => `<w:rFonts w:ascii="${name}" w:hAnsi="${name}"/>`
    expect(await htmlOf(paragraph(run('10 ') + run('m', font('Symbol')) + run('g \uf0b1 ', font('Symbol')) + run('\uf0fc', font('Wingdings')) + run(' m', font('Symbola'))))).toBe('<p>10 μγ ± ✓ m</p>')
    expect(await htmlOf(paragraph('a', styled('Greek')), { styles: style('Greek', 'Greek', { run: font('Symbol') }) })).toBe('<p>α</p>')
  })

  it('in a typewriter font are code, unless the whole document is set in one', async () => {
    const font = '<w:rFonts w:ascii="Consolas"/>'
    const body = paragraph(run('def f(x):', font)) + paragraph(run('    return x', font)) + paragraph(run('Call ') + run('f(3)', font))
    expect(await htmlOf(body)).toBe('<pre>def f(x):\n    return x</pre><p>Call <code>f(3)</code></p>')
    const all = '<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Courier New"/></w:rPr></w:rPrDefault></w:docDefaults>'
    expect(await htmlOf(body, { styles: all })).toBe('<p>def f(x):</p><p>    return x</p><p>Call f(3)</p>')
  })
})

it('what displays nothing leaves nothing, and hides no look that is shown', async () => {
  const bookmark = '<w:bookmarkStart w:id="0" w:name="here"/><w:bookmarkEnd w:id="0"/><w:proofErr w:type="spellStart"/>'
  expect(await htmlOf(`<w:p w:rsidR="00A1">${bookmark}</w:p>` + paragraph(`${bookmark}${run('Bold', '<w:sz w:val="22"/><w:b/><w:lang w:val="en-GB"/>')}${run(' and plain', '<w:sz w:val="22"/>')}`, '<w:spacing w:before="120"/><w:jc w:val="both"/>'))).toBe('<p><strong>Bold</strong> and plain</p>')
})

it('links in short fields are links', async () => {
  expect(await htmlOf(`<w:p><w:fldSimple w:instr=" HYPERLINK &quot;https://example.org/a?b&amp;c&quot; ">${run('Port')}</w:fldSimple></w:p>`)).toBe('<p><a href="https://example.org/a?b&amp;c">Port</a></p>')
})

it('formulas have accents, and signs that TeX would take for its own', async () => {
  const letter = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`
  expect(await htmlOf(`<w:p><m:oMathPara><m:oMath><m:acc><m:accPr><m:chr m:val="\u20d7"/></m:accPr><m:e>${letter('v')}</m:e></m:acc>${letter('=50%')}</m:oMath></m:oMathPara></w:p>`)).toBe('<p>\\(\\vec{v}=50\\%\\)</p>')
})

describe('drawings', () => {
  const drawing = (content: string, description = ''): string => `<w:r><w:drawing><wp:inline><wp:docPr descr="${description}"/><a:graphic><a:graphicData>${content}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`

  it('are the values of a chart, and the texts of a diagram', async () => {
    const points = (kind: string, all: readonly string[]): string => `<c:${kind}><c:cache>${all.map((value, i) => `<c:pt idx="${i}"><c:v>${value}</c:v></c:pt>`).join('')}</c:cache></c:${kind}>`
    const chart = `<c:chartSpace ${names}><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Ships</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser>${points('tx', ['Arrivals'])}${points('cat', ['2023', '2024'])}${points('val', ['1471', '1688'])}</c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`
    const point = (id: number, text: string): string => `<dgm:pt modelId="${id}"${id === 0 ? ' type="doc"' : ''}><dgm:t><a:p><a:r><a:t>${text}</a:t></a:r></a:p></dgm:t></dgm:pt>`
    const link = (from: number, to: number, order: number): string => `<dgm:cxn srcId="${from}" destId="${to}" srcOrd="${order}"/>`
    const diagram = `<dgm:dataModel ${names}><dgm:ptLst>${point(0, '')}${point(1, 'Unload')}${point(2, 'Arrive')}${point(3, 'Moor')}</dgm:ptLst><dgm:cxnLst>${link(0, 1, 1)}${link(0, 2, 0)}${link(2, 3, 0)}${link(3, 2, 0)}</dgm:cxnLst></dgm:dataModel>`
    const body = paragraph('Before') + paragraph(drawing('<c:chart r:id="c"/>')) + paragraph(drawing('<dgm:relIds r:dm="d"/>')) + paragraph('After')
    expect((await htmlOf(body, { more: { 'word/charts/one.xml': chart, 'word/diagrams/one.xml': diagram } })).replaceAll('\n', '')).toBe('<p>Before</p><p><strong>Ships</strong></p><table><thead><tr><th></th><th>Arrivals</th></tr></thead><tbody><tr><td>2023</td><td>1471</td></tr><tr><td>2024</td><td>1688</td></tr></tbody></table><ul><li>Arrive<ul><li>Moor</li></ul></li><li>Unload</li></ul><p>After</p>')
  })

  it('are texts even if there is nothing for older programs', async () => {
    const box = drawing(`<wps:wsp><wps:txbx><w:txbxContent>${paragraph('Boxed')}</w:txbxContent></wps:txbx></wps:wsp>`)
    expect(await htmlOf(paragraph(run('Before') + box) + paragraph(`<w:r><mc:AlternateContent><mc:Choice Requires="wps">${box.slice('<w:r>'.length, -'</w:r>'.length)}</mc:Choice></mc:AlternateContent></w:r>`))).toBe('<p>Before</p><p>Boxed</p><p>Boxed</p>')
  })

  it('are their descriptions where a picture cannot be shown', async () => {
    const picture = '<pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip r:embed="i"/></pic:blipFill></pic:pic>'
    expect(await htmlOf(paragraph(drawing(picture, 'Old chart')), { more: { 'word/media/one.emf': 'x' } })).toBe('<p><em>Old chart</em></p>')
  })
})

it('a text that holds the signs of our marks is kept without them', async () => {
  expect(await htmlOf(item('\uFDD0n0\uFDD1One'), { levels: [['decimal', '%1.']] })).toBe('<ol><li>n0One</li></ol>')
})

it('a document whose program has another prefix for its elements is read', async () => {
  const document = `<w:document ${names}><w:body>${paragraph('Locks', styled('H1'))}${item('Duty')}</w:body></w:document>`.replace(/(<\/?|\s)w:/g, '$1x:').replace('xmlns:w=', 'xmlns:x=')
  expect(await htmlOf('', { styles: style('H1', 'heading 1'), levels: [['decimal', '§ %1']], more: { 'word/document.xml': document } })).toBe('<h1>Locks</h1><p>§ 1 Duty</p>')
})

it('an archive with backslashes in its paths is read', async () => {
  expect(await htmlOf(paragraph('Text'), { separator: '\\' })).toBe('<p>Text</p>')
})
