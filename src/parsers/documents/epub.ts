import { Parser } from 'htmlparser2'
import { percentDecoded } from '../../lib/percent-decoded.ts'
import { type Converted, propertiesOf } from './converted.ts'
import { escapeHtml, Pictures } from './html.ts'
import { UnreadableDocument } from './unreadable.ts'
import { all, at, attributeOf, childrenOf, decodeXml, textIn, type XmlElement } from './xml.ts'
import { type Parts, resolvePath, xmlPart } from './zip.ts'

const dropped = new Set(['script', 'style', 'head', 'template', 'iframe', 'object', 'svg'])
const empty = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr'])
const outer = new Set(['html', 'body'])
/** Attributes that matter for a text; addresses are handled one by one. */
const kept = new Set(['alt', 'title', 'colspan', 'rowspan', 'start', 'value', 'type', 'checked', 'class', 'role', 'epub:type', 'lang'])

/** Reads an e-book: its chapters in order. Throws `UnreadableDocument`. */
export function readEpub(parts: Parts): Converted {
  const encrypted = all(xmlPart(parts, 'META-INF/encryption.xml'), 'EncryptionMethod').some((one) => !/embedding|mangling|obfuscation/i.test(attributeOf(one, 'Algorithm') ?? ''))
  if (encrypted) throw new UnreadableDocument('encrypted')
  const opf = attributeOf(all(xmlPart(parts, 'META-INF/container.xml'), 'rootfile')[0], 'full-path') ?? ''
  const book = at(xmlPart(parts, opf), 'package')
  if (book === undefined) throw new UnreadableDocument('broken')
  const pictures = new Pictures()
  const chapters = chaptersOf(book, opf)
  const html = chapters.map((path) => chapterHtml(parts, path, chapters, pictures)).join('\n')
  const missing = chapters.filter((path) => !parts.has(path)).length
  return { html, metadata: saidOf(at(book, 'metadata')), warnings: [...(missing === 0 ? [] : [`Chapters that the file does not hold are left out (${missing}).`]), ...pictures.warnings()] }
}

/** What a book says about itself. A date is that of its publication, unless it names another event (EPUB 2). */
function saidOf(metadata: XmlElement | undefined): Converted['metadata'] {
  const { title, language } = propertiesOf(metadata)
  const texts = (name: string): readonly string[] => childrenOf(metadata, name).map(textIn)
  const [modified] = childrenOf(metadata, 'meta').filter((one) => attributeOf(one, 'property') === 'dcterms:modified')
  const dates = (...events: readonly (string | undefined)[]): string | undefined => childrenOf(metadata, 'date').filter((one) => events.includes(attributeOf(one, 'event'))).map(textIn)[0]
  return {
    title,
    author: texts('creator').join(', '),
    language,
    description: texts('description')[0],
    keywords: texts('subject').join(', '),
    publishedTime: dates(undefined, 'publication'),
    modifiedTime: modified === undefined ? dates('modification') : textIn(modified),
  }
}

/** The paths of the chapters, without a machine-readable table of contents. */
function chaptersOf(book: XmlElement, opf: string): string[] {
  const items = new Map(childrenOf(at(book, 'manifest'), 'item').map((item) => [attributeOf(item, 'id'), item]))
  return childrenOf(at(book, 'spine'), 'itemref')
    .map((one) => items.get(attributeOf(one, 'idref')))
    .filter((item): item is XmlElement => item !== undefined && !(attributeOf(item, 'properties') ?? '').split(' ').includes('nav') && /html/.test(attributeOf(item, 'media-type') ?? ''))
    .map((item) => resolvePath(opf, percentDecoded(attributeOf(item, 'href') ?? '')))
}

/** Whether an element says that it is not displayed; notes are, where the text refers to them. */
const isHidden = ({ hidden, style = '', ...said }: Readonly<Record<string, string>>): boolean =>
  (hidden !== undefined || /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b/i.test(style)) && !/note/.test(`${said['epub:type'] ?? ''} ${said['role'] ?? ''}`)

/** The body of a chapter. Its ids get a prefix, and links between chapters lead to them. */
function chapterHtml(parts: Parts, path: string, chapters: readonly string[], pictures: Pictures): string {
  const bytes = parts.get(path)
  if (bytes === undefined) return ''
  const out: string[] = []
  const own = chapters.indexOf(path)
  /** How many open elements belong to one that is left out. */
  let skipping = 0
  const addressOf = (href: string): string | undefined => {
    if (/^(?:https?:\/\/|mailto:)/i.test(href)) return href
    const [file = '', fragment] = href.split('#', 2)
    const chapter = file === '' ? own : chapters.indexOf(resolvePath(path, percentDecoded(file)))
    return fragment === undefined || chapter < 0 ? undefined : `#c${chapter}-${fragment}`
  }
  const attributesOf = (name: string, attributes: Readonly<Record<string, string>>): string => {
    const href = name === 'a' && attributes['href'] !== undefined ? addressOf(attributes['href']) : undefined
    const id = attributes['id']
    const plain = Object.entries(attributes).filter(([key]) => kept.has(key))
    const all = [...plain, ...(id === undefined ? [] : [['id', `c${own}-${id}`] as const]), ...(href === undefined ? [] : [['href', href] as const])]
    return all.map(([key, value]) => ` ${key}="${escapeHtml(value)}"`).join('')
  }
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (skipping > 0 || dropped.has(name) || isHidden(attributes)) skipping++
        if (skipping > 0 || outer.has(name)) return
        if (name === 'img') out.push(pictures.html(attributes['src'] ?? '', parts.get(resolvePath(path, percentDecoded(attributes['src'] ?? ''))), attributes['alt'] ?? ''))
        else out.push(`<${name}${attributesOf(name, attributes)}>`)
      },
      ontext: (text) => void (skipping === 0 && out.push(escapeHtml(text))),
      onclosetag(name) {
        if (skipping > 0) skipping--
        else if (!outer.has(name) && !empty.has(name)) out.push(`</${name}>`)
      },
    },
    { recognizeSelfClosing: true },
  )
  parser.end(decodeXml(bytes))
  return `<section>${out.join('')}</section>`
}
