import { zipSync } from 'fflate'
import { expect, it } from 'vitest'
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
