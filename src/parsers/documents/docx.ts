import type mammoth from 'mammoth'
import { once } from '../../lib/once.ts'
import { type Converted, propertiesOf } from './converted.ts'
import { body, equationsAsTex } from './equations.ts'
import { imageHtml, Pictures } from './html.ts'
import { all, attributeOf, decodeXml } from './xml.ts'
import { type Parts, stored, xmlPart } from './zip.ts'

const library = once(() => import('mammoth').then((module): typeof mammoth => module.default))

/** Styles of Word, LibreOffice and pandoc that the library does not know. */
const styleMap = [
  "p[style-name='Title'] => h1:fresh",
  ...['Quote', 'Intense Quote', 'Block Text', 'Quotations'].map((name) => `p[style-name='${name}'] => blockquote > p:fresh`),
  ...['Source Code', 'HTML Preformatted', 'Preformatted Text'].map((name) => `p[style-name='${name}'] => pre:separator('\\n')`),
  // Nested levels with styles of their own; by its numbering, each is a list of the first level.
  ...[2, 3, 4, 5].flatMap((level) => (['Bullet', 'Number'] as const).map((kind) => `p[style-name='List ${kind} ${level}'] => ${'ul|ol > li > '.repeat(level - 1)}${kind === 'Bullet' ? 'ul' : 'ol'} > li:fresh`)),
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
const anchor = /<a id="(?!(?:foot|end)note-)[^"]*"><\/a>/g

/** Elements whose text the library would drop with them: results of fields, text with its own direction, ruby text. */
const wrapper = /<\/?w:(?:fldSimple|bdo|dir|ruby|rubyBase)(?:\s(?:"[^"]*"|'[^']*'|[^"'>])*)?\/?>/g

/** References to notes with their ids, and links with their relations: the library fails on one that leads nowhere. */
const noteReference = /<w:(foot|end)noteReference\s[^<>]{0,300}?w:id="([^"]{0,40})"[^<>]{0,300}\/>/g
const linkRelation = /(<w:hyperlink\s[^<>]{0,2000}?)r:id="([^"]{0,200})"/g
/** The place of an embedded file that is part of the text. */
const foreignPart = /<w:altChunk\s/g

/** The parts of the file, changed so that the library can read all of their text. */
function readable(parts: Parts): Parts {
  const notes = { foot: idsIn(parts, 'word/footnotes.xml', 'footnote', 'id'), end: idsIn(parts, 'word/endnotes.xml', 'endnote', 'id') }
  return new Map([...parts].map(([path, bytes]) => {
    if (!body.test(path)) return [path, bytes]
    const relations = idsIn(parts, path.replace(/[^/]+$/, '_rels/$&.rels'), 'Relationship', 'Id')
    const text = decodeXml(bytes)
      .replace(wrapper, '')
      .replace(noteReference, (whole, kind: 'foot' | 'end', id: string) => (notes[kind].has(id) ? whole : ''))
      .replace(linkRelation, (whole, before: string, id: string) => (relations.has(id) ? whole : before))
    return [path, Buffer.from(text)]
  }))
}

const idsIn = (parts: Parts, path: string, name: string, attribute: string): ReadonlySet<string | undefined> => new Set(all(xmlPart(parts, path), name).map((one) => attributeOf(one, attribute)))

/** Reads a Word document. Throws what the library throws for a broken one. */
export async function readDocx(parts: Parts): Promise<Converted> {
  const { convertToHtml, images } = await library()
  const pictures = new Pictures()
  const convertImage = images.imgElement(async (image) => ({
    // A picture that is external or missing is dropped.
    src: pictures.source(image.contentType, await image.readAsBuffer().catch(() => undefined)),
  }))
  const { value } = await convertToHtml({ buffer: Buffer.from(stored(equationsAsTex(readable(parts)))) }, { styleMap, convertImage })
  const html = value
    .replace(emptyImage, (_, alt: string | undefined) => imageHtml('', alt ?? ''))
    .replace(tickBox, (_, ticked: string | undefined) => (ticked === undefined ? '☐' : '☒'))
    .replace(innerLink, '$1')
    .replace(anchor, '')
  const foreign = decodeXml(parts.get('word/document.xml') ?? Buffer.alloc(0)).match(foreignPart)?.length ?? 0
  const warnings = [...pictures.warnings(), ...(foreign === 0 ? [] : [`Parts of the document that are files of their own are left out (${foreign}).`])]
  return { html, metadata: propertiesOf(xmlPart(parts, 'docProps/core.xml')), warnings }
}
