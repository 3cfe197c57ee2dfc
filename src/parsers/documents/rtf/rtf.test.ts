import { expect, it } from 'vitest'
import { growth } from '../../../../test/cpu.ts'
import { readRtf } from './rtf.ts'

const fonts = '{\\fonttbl{\\f0\\froman\\fcharset0 Times;}{\\f3\\froman\\fcharset2{\\*\\panose 05050102010706020507}Symbol;}{\\f4\\fnil\\fcharset2 Wingdings;}{\\f5\\fnil\\fcharset0 Symbola;}}'
const htmlOf = (text: string): string => readRtf(Buffer.from(`{\\rtf1\\ansi\\deff0${fonts}\\pard ${text}}`, 'latin1')).html.replaceAll('\n', '')

it('letters in a symbol font are the signs that they stand for', () => {
  expect(htmlOf("10 {\\f3 m}g {\\f3\\'b1} 2, {\\f3\\u-3987?}A, {\\f4\\'fc} yes, {\\f5 m}\\par")).toBe('<p>10 μg ± 2, μA, ✓ yes, m</p>')
})

it('letters that are written by codes are one text, and those of two codes one letter', () => {
  expect(htmlOf('{\\b\\u1087?\\u1088?\\u1080?vet \\u-10179?\\u-8704?!}\\par')).toBe('<p><strong>при</strong><strong>vet </strong><strong>😀</strong><strong>!</strong></p>')
})

it('what is deleted or moved away is no text', () => {
  expect(htmlOf('costs {\\deleted\\revauthdel1 100 }{\\mvf 150 }{\\revised 200} euro\\par')).toBe('<p>costs 200 euro</p>')
})

it('text boxes stand below their paragraph or table, with the looks of their own', () => {
  const box = (text: string): string => `{\\shp{\\*\\shpinst\\shpleft100{\\sp{\\sn shapeType}{\\sv 202}}{\\shptxt\\pard ${text}\\par}}{\\shprslt{\\*\\do\\dptxbx{\\dptxbxtext\\pard ${text}\\par}}}}`
  expect(htmlOf(`\\outlinelevel0 ${box('Call 112')}Fire\\par\\pard Run.\\par`)).toBe('<h1>Fire</h1><p>Call 112</p><p>Run.</p>')
  expect(htmlOf(`\\trowd\\cellx100\\cellx200\\intbl A${box('Boxed')}\\cell B\\cell\\row\\pard End\\par`)).toBe('<table><tbody><tr><td>A</td><td>B</td></tr></tbody></table><p>Boxed</p><p>End</p>')
  expect(htmlOf('Text{\\*\\do\\dobxcolumn\\dptxbx{\\dptxbxtext\\pard Old\\par}}\\par')).toBe('<p>Text</p><p>Old</p>')
  expect(htmlOf('Text {\\shptxt One\\par{\\shptxt Two\\par}Three}\\par')).toBe('<p>Text</p><p>One</p><p>Two</p><p>Three</p>')
  expect(htmlOf('Text\\par{\\shp{\\*\\shpinst{\\shptxt Cut off')).toBe('<p>Text</p><p>Cut off</p>')
})

it('a table within a cell is text of that cell', () => {
  expect(htmlOf('\\trowd\\cellx100\\cellx200\\intbl A\\cell\\itap2 x\\nestcell y\\nestcell{\\*\\nesttableprops\\trowd\\cellx50\\cellx90\\nestrow}{\\nonesttables\\par}\\pard\\intbl B\\cell\\row\\intbl C\\cell D\\cell\\row\\pard End\\par'))
    .toBe('<table><thead><tr><th>A</th><th>x<br>y<br>B</th></tr></thead><tbody><tr><td>C</td><td>D</td></tr></tbody></table><p>End</p>')
})

const row = (places: string, ...cells: readonly string[]): string => `\\trowd${places}${cells.map((text) => `\\intbl ${text}\\cell`).join('')}\\row`

it('cells of a table reach over columns and rows as their places say', () => {
  expect(htmlOf(`${row('\\cellx100\\cellx200\\cellx300', 'a', 'b', 'c')}${row('\\cellx200\\cellx300', 'wide', 'd')}${row('\\clvmgf\\cellx100\\cellx200\\cellx300', 'tall', 'e', 'f')}${row('\\clvmrg\\cellx100\\cellx200\\cellx300', '', 'g', 'h')}\\pard End\\par`))
    .toBe('<table><thead><tr><th>a</th><th>b</th><th>c</th></tr></thead><tbody><tr><td colspan="2">wide</td><td>d</td></tr><tr><td rowspan="2">tall</td><td>e</td><td>f</td></tr><tr><td>g</td><td>h</td></tr></tbody></table><p>End</p>')
})

it('an empty paragraph parts two tables, unless it stands within a row', () => {
  const upper = row('\\cellx100\\cellx200\\cellx300', 'a', 'b', 'c')
  const lower = row('\\cellx150\\cellx300', 'd', 'e')
  expect(htmlOf(`${upper}\\pard\\par ${lower}\\pard End\\par`))
    .toBe('<table><tbody><tr><td>a</td><td>b</td><td>c</td></tr></tbody></table><table><tbody><tr><td>d</td><td>e</td></tr></tbody></table><p>End</p>')
  expect(htmlOf(`${upper}\\trowd\\cellx100\\cellx200\\cellx300\\intbl\\par d\\par\\pard\\par\\intbl\\cell\\pard\\par\\intbl e\\cell f\\cell\\row\\pard End\\par`))
    .toBe('<table><thead><tr><th>a</th><th>b</th><th>c</th></tr></thead><tbody><tr><td>d</td><td>e</td><td>f</td></tr></tbody></table><p>End</p>')
})

const pixel = Buffer.from('89504e470d0a1a0a', 'hex').toString('base64')
/** A picture as LibreOffice writes it: as it is, and as a metafile for old programs. */
const inline = (alt: string, picture = '\\pngblip\n89504e47\n0d0a1a0a'): string => {
  const properties = `{\\*\\picprop{\\sp{\\sn wzDescription}{\\sv ${alt}}}{\\sp{\\sn wzName}{\\sv Name}}}\\picw8\\pich8`
  return `{\\*\\shppict{\\pict${properties}${picture}}}{\\nonshppict{\\pict${properties}\\wmetafile8\n0100}}`
}
const image = (alt: string, kind = 'png', data = pixel): string => `<img alt="${alt}" src="data:image/${kind};base64,${data}">`

it('pictures stand where they are in the text, with their descriptions', () => {
  expect(htmlOf(`Inline ${inline("A pier \\u8212\\'97 <old>")} picture.\\par`)).toBe(`<p>Inline ${image('A pier — &lt;old&gt;')} picture.</p>`)
  const shape = (before: string, after: string): string => `{\\shp{\\*\\shpinst\\shpwr2{\\sp{\\sn shapeType}{\\sv 75}}{\\sp{\\sn fillBlip}{\\sv {\\pict\\pngblip 00}}}${before}{\\sp{\\sn pib}{\\sv {\\pict\\jpegblip ffd8ff}}}${after}}{\\shprslt{\\pict\\wmetafile8 01}}}`
  const description = '{\\sp{\\sn wzDescription}{\\sv A gauge}}'
  for (const written of [shape(description, ''), shape('', description)]) expect(htmlOf(`${written}Floating picture.\\par`)).toBe(`<p>${image('A gauge', 'jpeg', '/9j/')}Floating picture.</p>`)
  expect(htmlOf('Binary {\\pict\\pngblip\\bin8 \x89PNG\r\n{\\}, {\\v {\\pict\\pngblip 00}}end\\par')).toBe(`<p>Binary ${image('', 'png', Buffer.from('\x89PNG\r\n{\\', 'latin1').toString('base64'))}, end</p>`)
  expect(htmlOf(`{\\field{\\*\\fldinst HYPERLINK "https://example.org/"}{\\fldrslt ${inline('Go')}}}\\par`)).toBe(`<p><a href="https://example.org/">${image('Go')}</a></p>`)
  expect(htmlOf(`\\trowd\\cellx100\\intbl ${inline('A')}\\cell\\row\\pard End\\par`)).toBe(`<table><tbody><tr><td>${image('A')}</td></tr></tbody></table><p>End</p>`)
})

it('pictures that are large, or of a kind that browsers do not show, are counted; those of headers and bullets are not read', () => {
  const { html, warnings } = readRtf(Buffer.from(`{\\rtf1 A ${inline('Large', `\\pngblip ${'00'.repeat(300_000)}`)}B {\\pict\\pngblip\\bin900000 ${'}'.repeat(900_000)}}C {\\object\\objemb{\\*\\objdata 0102}{\\result{\\pict\\wmetafile8 0100}}}D{\\header{\\pict\\pngblip 00}}{\\*\\listpicture{\\pict\\pngblip 00}}{\\pict\\wmetafile8}\\par}`, 'latin1'))
  expect([html, warnings]).toEqual(['<p>A <em>Large</em>B C D</p>\n', ['Pictures that are large, or of a kind that browsers do not show, are left out (3).']])
})

it('takes time in proportion to the places of cells and the rows that have them', () => {
  expect(growth((n) => `\\trowd${'\\cellx1'.repeat(n)}${'\\row'.repeat(n)}`, htmlOf, 1_000)).toBeLessThan(1.5)
})
