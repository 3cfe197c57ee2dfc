import { Parser } from 'htmlparser2'
import { percentDecoded } from '../../lib/percent-decoded.ts'
import { type Converted, propertiesOf } from './converted.ts'
import { looksFor, type Looks, looksIn } from './epub-looks.ts'
import { escapeHtml, Pictures } from './html.ts'
import { UnreadableDocument } from './unreadable.ts'
import { all, at, attributeOf, childrenOf, decodeXml, textIn, type XmlElement } from './xml.ts'
import { type Parts, resolvePath, xmlPart } from './zip.ts'

const dropped = new Set(['script', 'style', 'head', 'template', 'iframe', 'object', 'svg'])
const empty = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr'])
const outer = new Set(['html', 'body'])
/** Elements whose text is styled as their classes say; headings are bold by themselves. */
const styled = new Set(['a', 'cite', 'code', 'p', 'q', 'small', 'span'])
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
  const whole: Book = { parts, chapters, pictures, sheets: new Map() }
  const html = chapters.map((path) => chapterHtml(whole, path)).join('\n')
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

/** Whether an element is a note, which is displayed where the text refers to it. */
const isNote = (said: Readonly<Record<string, string>>): boolean => /note/i.test(`${said['epub:type'] ?? ''} ${said['role'] ?? ''} ${said['class'] ?? ''}`)

/** What the chapters of a book have in common. */
interface Book {
  readonly parts: Parts
  readonly chapters: readonly string[]
  readonly pictures: Pictures
  /** What its style sheets say, by their paths, as far as they were read. */
  readonly sheets: Map<string, Looks>
}

/** A chapter with more style sheets is not meant for reading. */
const mostSheets = 20

/** The style sheet for screens that a chapter links. */
function sheetOf({ parts, sheets }: Book, path: string, { rel = '', href = '', media = 'all' }: Readonly<Record<string, string>>): Looks[] {
  const own = resolvePath(path, percentDecoded(href))
  const isForScreens = media.split(',').some((one) => ['', 'all', 'screen'].includes(one.trim().toLowerCase()))
  const bytes = isForScreens && /^stylesheet$/i.test(rel) ? parts.get(own) : undefined
  if (bytes === undefined) return []
  const looks = sheets.get(own) ?? looksIn(Buffer.from(bytes).toString('utf8'))
  sheets.set(own, looks)
  return [looks]
}

/** The body of a chapter. Its ids get a prefix, and links between chapters lead to them. */
function chapterHtml(book: Book, path: string): string {
  const { parts, chapters, pictures } = book
  const bytes = parts.get(path)
  if (bytes === undefined) return ''
  const out: string[] = []
  const own = chapters.indexOf(path)
  /** How many open elements belong to one that is left out. */
  let skipping = 0
  const sheets: Looks[] = []
  /** For each open element that is not left out, the elements within it that its classes stand for. */
  const within: (readonly string[])[] = []
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
        if (name === 'link' && sheets.length < mostSheets) sheets.push(...sheetOf(book, path, attributes))
        const look = looksFor(sheets, name, attributes)
        const isHidden = look === null || attributes['hidden'] !== undefined
        if (skipping > 0 || dropped.has(name) || (isHidden && !isNote(attributes))) skipping++
        if (skipping > 0) return
        const more = styled.has(name) ? (look ?? []).filter((one) => !within.some((tags) => tags.includes(one))) : []
        within.push(more)
        if (outer.has(name)) return
        if (name === 'img') out.push(pictures.html(attributes['src'] ?? '', parts.get(resolvePath(path, percentDecoded(attributes['src'] ?? ''))), attributes['alt'] ?? ''))
        else out.push(`<${name}${attributesOf(name, attributes)}>${more.map((one) => `<${one}>`).join('')}`)
      },
      ontext: (text) => void (skipping === 0 && out.push(escapeHtml(text))),
      onclosetag(name) {
        if (skipping > 0) return void skipping--
        const more = (within.pop() ?? []).map((one) => `</${one}>`).reverse().join('')
        if (!outer.has(name) && !empty.has(name)) out.push(`${more}</${name}>`)
      },
    },
    { recognizeSelfClosing: true },
  )
  parser.end(decodeXml(bytes))
  return `<section>${out.join('')}</section>`
}
