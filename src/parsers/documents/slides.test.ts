import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { readDocument } from './read.ts'

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relations = (all: Readonly<Record<string, readonly [type: string, target: string]>>): string => `<Relationships>${Object.entries(all).map(([id, [type, target]]) => `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`).join('')}</Relationships>`

async function slideOf(shapes: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const files = {
    'ppt/presentation.xml': '<p:presentation><p:sldIdLst><p:sldId r:id="s"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relations({ s: ['slide', 'slides/slide1.xml'] }),
    'ppt/slides/slide1.xml': `<p:sld><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`,
    'ppt/slides/_rels/slide1.xml.rels': relations({ c: ['chart', '../charts/one.xml'], d: ['diagramData', '../diagrams/one.xml'] }),
    ...more,
  }
  const reply = await readDocument(zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]))))
  if (!('converted' in reply)) throw new Error(reply.problem)
  return reply.converted.html.replaceAll('>\n<', '><').trim()
}
const shape = (paragraphs: string, more = ''): string => `<p:sp><p:nvSpPr><p:cNvPr id="2" name="Box"${more}/></p:nvSpPr><p:txBody>${paragraphs}</p:txBody></p:sp>`
const paragraph = (text: string, look = ''): string => `<a:p><a:r><a:rPr>${look}</a:rPr><a:t>${text}</a:t></a:r></a:p>`
const frame = (content: string): string => `<p:graphicFrame><a:graphic><a:graphicData>${content}</a:graphicData></a:graphic></p:graphicFrame>`

it('the values of charts and the texts of diagrams on a slide are read', async () => {
  const chart = '<c:chartSpace><c:chart><c:plotArea><c:pieChart><c:ser><c:tx><c:v>Ships</c:v></c:tx><c:val><c:numLit><c:pt idx="0"><c:v>12</c:v></c:pt><c:pt idx="2"><c:v>7</c:v></c:pt></c:numLit></c:val></c:ser></c:pieChart></c:plotArea></c:chart></c:chartSpace>'
  const diagram = '<dgm:dataModel><dgm:ptLst><dgm:pt modelId="1"><dgm:t><a:p><a:r><a:t>Arrive</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:pt modelId="2" type="sibTrans"><dgm:t><a:p><a:r><a:t>arrow</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>'
  const html = await slideOf(frame('<c:chart r:id="c"/>') + frame('<dgm:relIds r:dm="d"/>') + frame('<c:chart r:id="gone"/>'), { 'ppt/charts/one.xml': chart, 'ppt/diagrams/one.xml': diagram })
  expect(html).toBe('<table><thead><tr><th></th><th>Ships</th></tr></thead><tbody><tr><td>1</td><td>12</td></tr><tr><td>3</td><td>7</td></tr></tbody></table><ul><li>Arrive</li></ul>')
})

it('hidden shapes are left out, paragraphs in a typewriter font are code, and formulas TeX', async () => {
  const font = '<a:latin typeface="Courier New"/>'
  const formula = '<a:p><a14:m><m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f></m:oMath></a14:m></a:p>'
  expect(await slideOf(shape(paragraph('Shown')) + shape(paragraph('Secret'), ' hidden="1"') + shape(paragraph('def f(x):', font) + paragraph('    return x', font)) + shape(formula))).toBe('<p>Shown</p><pre>def f(x):\n    return x\n</pre><p>\\(\\frac{a}{b}\\)</p>')
})

it('letters in a symbol font are the signs that they stand for', async () => {
  expect(await slideOf(shape(`<a:p><a:r><a:t>10 </a:t></a:r><a:r><a:rPr><a:latin typeface="Symbol"/></a:rPr><a:t>m</a:t></a:r><a:r><a:t>g</a:t></a:r></a:p>`))).toBe('<p>10 μg</p>')
})

it('slides that the file does not hold are told', async () => {
  const files = {
    'ppt/presentation.xml': '<p:presentation><p:sldIdLst><p:sldId r:id="s"/><p:sldId r:id="gone"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relations({ s: ['slide', 'slides/slide1.xml'] }),
    'ppt/slides/slide1.xml': `<p:sld><p:cSld><p:spTree>${shape(paragraph('One'))}</p:spTree></p:cSld></p:sld>`,
  }
  const reply = await readDocument(zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]))))
  expect('converted' in reply && [reply.converted.html, reply.converted.warnings]).toEqual(['<p>One</p>\n', ['Slides that the file does not hold whole are left out (1).']])
})

describe('a presentation of another program', () => {
  const relationships = `xmlns:rel="${office}"`

  it('may name relations with any prefix', async () => {
    const linked = `<a:p><a:r><a:rPr><a:hlinkClick rel:id="l"/></a:rPr><a:t>Tides</a:t></a:r></a:p>`
    const picture = '<p:pic><p:nvPicPr><p:cNvPr id="3" name="P" descr="Gauge"/></p:nvPicPr><p:blipFill><a:blip rel:embed="i"/></p:blipFill></p:pic>'
    expect(await slideOf(shape(linked) + picture, {
      'ppt/presentation.xml': `<p:presentation ${relationships}><p:sldIdLst><p:sldId id="256" rel:id="s"/></p:sldIdLst></p:presentation>`,
      'ppt/slides/_rels/slide1.xml.rels': relations({ l: ['hyperlink', 'https://site.example/tides'], i: ['image', '../media/one.png'] }),
      'ppt/media/one.png': 'x',
    })).toBe('<p><a href="https://site.example/tides">Tides</a></p><p><img alt="Gauge" src="data:image/png;base64,eA=="></p>')
  })

  it('may say true and false by words', async () => {
    const cell = (text: string, more = ''): string => `<a:tc ${more}><a:txBody>${paragraph(text)}</a:txBody></a:tc>`
    const table = `<a:tbl><a:tblPr firstRow="true"/><a:tr>${cell('Tide', 'gridSpan="2"')}${cell('', 'hMerge="true"')}</a:tr><a:tr>${cell('High', 'rowSpan="2"')}${cell('3')}</a:tr><a:tr>${cell('', 'vMerge="true"')}${cell('4')}</a:tr></a:tbl>`
    expect(await slideOf(frame(table))).toBe('<table><thead><tr><th colspan="2">Tide</th></tr></thead><tbody><tr><td rowspan="2">High</td><td>3</td></tr><tr><td>4</td></tr></tbody></table>')
    expect(await slideOf('', { 'ppt/slides/slide1.xml': `<p:sld show="false"><p:cSld><p:spTree>${shape(paragraph('Secret'))}</p:spTree></p:cSld></p:sld>` })).toBe('')
  })
})

describe('the values of a chart', () => {
  const points = (all: readonly (string | null)[]): string => all.map((value, i) => (value === null ? '' : `<c:pt idx="${i}"><c:v>${value}</c:v></c:pt>`)).join('')
  const chartOf = (...series: readonly string[]): Promise<string> => slideOf(frame('<c:chart r:id="c"/>'), { 'ppt/charts/one.xml': `<c:chartSpace><c:chart><c:plotArea><c:barChart>${series.map((one) => `<c:ser>${one}</c:ser>`).join('')}</c:barChart></c:plotArea></c:chart></c:chartSpace>` })
  const tableOf = (...rows: readonly (readonly string[])[]): string => rows.map((row, i) => `${i === 1 ? '</thead><tbody>' : ''}<tr>${row.map((cell) => (i === 0 ? `<th>${cell}</th>` : `<td>${cell}</td>`)).join('')}</tr>`).join('')

  it('have the labels of all levels', async () => {
    const levels = [['Q1', 'Q2', 'Q1', 'Q2'], ['2024', null, '2025']].map((level) => `<c:lvl>${points(level)}</c:lvl>`).join('')
    expect(await chartOf(`<c:cat><c:multiLvlStrRef><c:multiLvlStrCache>${levels}</c:multiLvlStrCache></c:multiLvlStrRef></c:cat><c:val>${points(['1', '2', '3', '4'])}</c:val>`)).toBe(`<table><thead>${tableOf(['', ''], ['2024, Q1', '1'], ['2024, Q2', '2'], ['2025, Q1', '3'], ['2025, Q2', '4'])}</tbody></table>`)
  })

  it('stand beside the labels of their own series', async () => {
    const series = (name: string, x: readonly string[], y: readonly string[]): string => `<c:tx><c:v>${name}</c:v></c:tx><c:xVal>${points(x)}</c:xVal><c:yVal>${points(y)}</c:yVal>`
    expect(await chartOf(series('North', ['1', '2'], ['10', '20']), series('South', ['5', '7'], ['30', '40']), series('West', ['1', '2'], ['50', '60']))).toBe(`<table><thead>${tableOf(['', 'North', 'West'], ['1', '10', '50'], ['2', '20', '60'])}</tbody></table><table><thead>${tableOf(['', 'South'], ['5', '30'], ['7', '40'])}</tbody></table>`)
  })
})
