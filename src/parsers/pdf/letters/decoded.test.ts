import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { pdfFile } from '../../../../test/pdf.ts'
import { cidTable } from './cid-tables.ts'
import { CMapFactory } from './cmaps.ts'
import { readPdf } from '../read.ts'
import { undecodedPages } from './undecoded.ts'

/** A page whose font names its CMap and nothing else about its characters, as old files do. */
interface NamedFont {
  readonly cmap: string
  readonly collection: string
  readonly encode: (text: string) => Buffer
  /** Includes a ToUnicode map for codes that are Unicode. */
  readonly isKnown?: boolean
}

/** The positions and sizes of lines. */
type Line = readonly [text: string, x: number, y: number, size: number]

const identity = 'begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfrange <0000> <ffff> <0000> endbfrange endcmap'

async function read(lines: readonly Line[], { cmap, collection, encode, isKnown = false }: NamedFont): Promise<{ markdown: string; pagesNeedingOcr: readonly number[]; links: readonly string[] }> {
  const content = lines.map(([text, x, y, size]) => `BT /F1 ${size} Tf ${x} ${y} Td <${encode(text).toString('hex')}> Tj ET`).join('\n')
  const bytes = pdfFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> /Annots [<< /Type /Annot /Subtype /Link /Rect [94 630 171 646] /A << /S /URI /URI (https://example.com/tides) >> >>] >>',
    { head: '', stream: Buffer.from(content) },
    `<< /Type /Font /Subtype /Type0 /BaseFont /Sample-${cmap} /Encoding /${cmap} /DescendantFonts [6 0 R] ${isKnown ? '/ToUnicode 8 0 R' : ''} >>`,
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Sample /CIDSystemInfo << /Registry (Adobe) /Ordering (${collection}) /Supplement 2 >> /DW 1000 /FontDescriptor 7 0 R >>`,
    '<< /Type /FontDescriptor /FontName /Sample /Flags 6 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
    { head: '', stream: Buffer.from(identity) },
  ])
  const reply = await readPdf({ bytes, order: { mode: 'auto', pages: false, pageMarkers: false, html: false } })
  if (!('document' in reply)) throw new Error(JSON.stringify(reply))
  return reply.document
}

const utf16 = (text: string): Buffer => iconv.encode(text, 'utf-16be')
const [japanese, chinese] = [
  ['潮位観測報告', '港湾事務所は三か所の観測所で十分ごとに潮位を測定している。測定値は毎日集', '計され、用途は問わない。PDFとCSVの二つの形式がある。', '利用者は登録なしでファイルを使える。'],
  ['潮位观测报告', '港务局每十分钟在三个站点测量潮位。测量值每天汇总，第二天早上公布。观测自', '一九五〇年以来一直在进行，所有数据均可免费使用。', '用户无需注册即可下载文件。'],
] as const
const page = ([title, first, second, other]: typeof japanese | typeof chinese): Line[] => [[title, 72, 780, 20], [first, 72, 740, 11], [second, 72, 724, 11], [other, 72, 634, 11]]

describe('pages in East Asian scripts', () => {
  it.each([
    ['90ms-RKSJ-H', 'Japan1', japanese, (text: string): Buffer => iconv.encode(text, 'cp932')],
    ['EUC-H', 'Japan1', japanese, (text: string): Buffer => iconv.encode(text, 'euc-jp')],
    ['UniJIS-UCS2-H', 'Japan1', japanese, utf16],
    ['GBK-EUC-H', 'GB1', chinese, (text: string): Buffer => iconv.encode(text, 'gbk')],
    ['UniGB-UTF16-H', 'GB1', chinese, utf16],
  ] as const)('reads those of fonts that name %s, with headings, links and no blanks at line ends', async (cmap, collection, text, encode) => {
    const { markdown, pagesNeedingOcr, links } = await read(page(text), { cmap, collection, encode })
    expect(markdown).toBe(`# ${text[0]}\n\n${text[1]}${text[2]}\n\n${text[3].slice(0, 2)}[${text[3].slice(2, 9)}](https://example.com/tides)${text[3].slice(9)}`)
    expect(pagesNeedingOcr).toEqual([])
    expect(links).toEqual(['https://example.com/tides'])
  })

  it('reads fonts whose codes are CIDs of a character collection', async () => {
    const encode = (text: string): Buffer => Buffer.from([...text].flatMap((letter) => {
      const cid = cidTable('Japan1')?.cids.get(letter.codePointAt(0) ?? 0) ?? 0
      return [cid >> 8, cid & 255]
    }))
    const { markdown, pagesNeedingOcr } = await read(page(japanese), { cmap: 'Identity-H', collection: 'Japan1', encode })
    expect(markdown).toContain(`# ${japanese[0]}\n\n${japanese[1]}${japanese[2]}`)
    expect(pagesNeedingOcr).toEqual([])
  })

  it('recognises CIDs mistaken for letters, but leaves alphabets alone', () => {
    const of = (...pages: readonly string[]): unknown => [...undecodedPages(new Map(pages.map((text, i) => [i + 1, [{ text, x: 0, y: 0, width: 100, height: 10, itemType: 'Text' }]])))]
    const numbers = 'ύοέʔδʹؔ͢Δٕज़తͳৄࡉ΍ɺ Debian ύοέʔδͷ࡞੒ํ๏Λઆ໌͢Δ΋ͷͰ͸͋Γ·ͤΜɻ·ͨɺ͜ͷϦϑΝϨϯε͸ Debian ʹؚ· ΕΔιϑτ΢ΣΞ͕४ڌ͢΂͖ج४Λৄࡉʹղઆ͢Δ'
    expect(of(numbers)).toEqual([[1, 'letters']])
    expect(of(numbers, 'ϦϦʔε 12.18', 'English')).toEqual([[1, 'letters'], [2, 'letters']])
    expect(of('ϦϦʔε 12.18', 'Η παλίρροια μετριέται κάθε δέκα λεπτά.', 'Прилив измеряется каждые десять минут.', 'المد والجزر', 'น้ำขึ้นน้ำลง', 'ज्वार भाटा')).toEqual([])
  })

  it('reads vertical columns from right to left, each from the top', async () => {
    const [title, first, second, other] = japanese
    const lines: Line[] = [[title, 520, 780, 18], [first, 480, 780, 11], [second, 464, 780, 11], [other, 430, 780, 11]]
    const expected = `# ${title}\n\n${first}${second}\n\n${other}`
    expect((await read(lines, { cmap: 'Identity-V', collection: 'Identity', encode: utf16, isKnown: true })).markdown).toBe(expected)
    expect((await read(lines, { cmap: 'UniJIS-UTF16-V', collection: 'Japan1', encode: utf16 })).markdown).toBe(expected)
    const one = lines.flatMap(([text, x, y, size]) => [...text].map((letter, i): Line => [letter, x, y - i * size, size]))
    expect((await read(one, { cmap: 'Identity-H', collection: 'Identity', encode: utf16, isKnown: true })).markdown).toBe(expected)
  })

  it('trusts a table of contents in spite of its dot leaders', async () => {
    const lines = Array.from({ length: 45 }, (_, i): Line => [`${i}.1 什么是 ${i % 2 === 0 ? '系统' : '软件'} ${' .'.repeat(50)} ${i}`, 72, 780 - i * 14, 9])
    const { markdown, pagesNeedingOcr } = await read(lines, { cmap: 'Identity-H', collection: 'Identity', encode: utf16, isKnown: true })
    expect(markdown).toContain('44.1 什么是 系统')
    expect(pagesNeedingOcr).toEqual([])
  })

  it('keeps the spaces between wide characters that are on the page', async () => {
    expect((await read([['东 西', 72, 700, 11], ['南 北', 72, 686, 11]], { cmap: 'Identity-H', collection: 'Identity', encode: utf16, isKnown: true })).markdown).toContain('东 西南 北')
  })
})

describe('CMapFactory', () => {
  const text = async (filename: string): Promise<string> => Buffer.from(await new CMapFactory().fetch({ kind: 'cMapUrl', filename })).toString('latin1')

  it('knows the predefined CMaps that every reader must know', async () => {
    expect(await text('UniKS-UTF16-V')).toContain('/WMode 1 def')
    expect(await text('KSCms-UHC-H')).toContain('<8141> <fefe>')
    // Encodings differ in similar-looking characters: here the wave dash is the last one.
    expect(await text('90ms-RKSJ-H')).toContain('<814f> <8160> 648')
    expect(await text('Adobe-GB1-UCS2')).toContain(`<${(1238).toString(16).padStart(4, '0')}> <6f6e>`)
  })

  it.each(['Identity-H', 'KSC-Johab-H', 'Adobe-Identity-UCS2', '../../x'])('does not know %s', async (name) => {
    await expect(text(name)).rejects.toThrow()
  })
})
