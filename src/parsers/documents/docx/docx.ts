import type mammoth from 'mammoth'
import { once } from '../../../lib/once.ts'
import { type Converted, propertiesOf } from '../converted.ts'
import { imageHtml, Pictures } from '../html.ts'
import { decodeXml, parseXml, writeXml } from '../xml.ts'
import { type Parts, stored, xmlPart } from '../zip.ts'
import { codeStyle, Marks } from './marks.ts'
import { Rewriter } from './rewrite.ts'

const library = once(() => import('mammoth').then((module): typeof mammoth => module.default))

/** Styles of Word, LibreOffice and pandoc that the library does not know. */
const styleMap = [
  "p[style-name='Title'] => h1:fresh",
  ...['Quote', 'Intense Quote', 'Block Text', 'Quotations'].map((name) => `p[style-name='${name}'] => blockquote > p:fresh`),
  ...['Source Code', 'HTML Preformatted', 'Preformatted Text'].map((name) => `p[style-name='${name}'] => pre:separator('\\n')`),
  // Nested levels with styles of their own; by its numbering, each is a list of the first level.
  ...[2, 3, 4, 5].flatMap((level) => (['Bullet', 'Number'] as const).map((kind) => `p[style-name='List ${kind} ${level}'] => ${'ul|ol > li > '.repeat(level - 1)}${kind === 'Bullet' ? 'ul' : 'ol'} > li:fresh`)),
  `p.${codeStyle} => pre:separator('\\n')`,
  `r.${codeStyle} => code`,
  ...['Verbatim Char', 'Source Text', 'HTML Code'].map((name) => `r[style-name='${name}'] => code`),
]

/** How the library writes a picture without an address. */
const emptyImage = /<img(?: alt="([^"]*)")? src="" \/>/g
/**
 * How the library writes a check box. At the start of an item it makes a task; elsewhere it is a control and not content.
 */
const tickBox = /(?<!<li>)<input type="checkbox"( checked="checked")? \/>/g
/** Links within the document lead nowhere from outside; those of notes belong to the notes. */
const innerLink = /<a href="#(?!(?:foot|end)note-)[^"]*">([^]*?)<\/a>/g

/** The parts of the file that hold its text. */
const body = /^word\/(?:document|footnotes|endnotes)\d*\.xml$/

/** The bytes of a picture; undefined for one that is external, missing, or of a kind that is not unpacked. */
async function bytesOf(image: { readAsBuffer(): Promise<Buffer> }): Promise<Buffer | undefined> {
  try {
    return await image.readAsBuffer()
  } catch {
    return undefined
  }
}

/** Reads a Word document. Throws what the library throws for a broken one. */
export async function readDocx(parts: Parts): Promise<Converted> {
  const { convertToHtml, images } = await library()
  const pictures = new Pictures()
  const convertImage = images.imgElement(async (image) => ({
    // A file need not say what kind its pictures are.
    src: pictures.source(String(image.contentType), await bytesOf(image)),
  }))
  const marks = new Marks()
  const rewriter = new Rewriter(parts, marks)
  const readable = new Map([...parts].map(([path, bytes]) => [path, body.test(path) ? Buffer.from(writeXml(rewriter.part(path, parseXml(decodeXml(bytes)).children))) : bytes]))
  const { value } = await convertToHtml({ buffer: Buffer.from(stored(readable)) }, { styleMap, convertImage })
  const html = marks.applied(value)
    .replace(emptyImage, (_, alt: string | undefined) => imageHtml('', alt ?? ''))
    .replace(tickBox, (_, ticked: string | undefined) => (ticked === undefined ? '☐' : '☒'))
    .replace(innerLink, '$1')
  const { foreign } = rewriter
  const warnings = [...pictures.warnings(), ...(foreign === 0 ? [] : [`Parts of the document that are files of their own are left out (${foreign}).`])]
  return { html, metadata: propertiesOf(xmlPart(parts, 'docProps/core.xml')), warnings }
}
