import { Parser } from 'htmlparser2'
import { isoDate } from './dates.ts'
import { type Format, type Found, maxAddress, maxTitle, type SitemapKind } from './entries.ts'
import { shortHtml } from './short.ts'

/** The meaning of elements that hold entries. Names are without the prefix of the file's own namespace. */
const holders: ReadonlyMap<string, SitemapKind> = new Map([
  ['url', 'urlset'],
  ['sitemap', 'index'],
  ['item', 'feed'],
  ['entry', 'feed'],
])
const roots: ReadonlySet<string> = new Set(['urlset', 'sitemapindex', 'rss', 'RDF', 'feed'])
const fields: ReadonlyMap<string, 'loc' | 'guid' | 'date' | 'title' | 'description'> = new Map([
  ['loc', 'loc'],
  ['link', 'loc'],
  ['guid', 'guid'],
  ['lastmod', 'date'],
  ['pubDate', 'date'],
  ['updated', 'date'],
  ['published', 'date'],
  ['dc:date', 'date'],
  ['title', 'title'],
  ['description', 'description'],
  ['summary', 'description'],
  ['news:title', 'title'],
  ['news:publication_date', 'date'],
])
/** Sitemaps and feeds are flat, and the parser's cost grows with the square of the depth. */
const maxDepth = 128
/** The parser keeps all attributes of a tag until the tag ends. */
const maxAttributes = 1_000
/** The parser processes a whole piece before it can be stopped. */
const piece = 65_536

interface Entry {
  readonly kind: SitemapKind
  readonly depth: number
  readonly values: Map<string, string>
}

/** Reads XML of any of the known kinds, starting at character `start` of the first piece. */
export function xmlFormat(found: Found, start: number): Format {
  let skip = start
  const reader = new XmlReader(found)
  const parser = new Parser(reader, { xmlMode: true })
  return {
    write(text) {
      for (let at = skip; at < text.length && !found.full && !reader.over; at += piece) parser.write(text.slice(at, at + piece))
      skip = 0
    },
    over: () => reader.over,
    end() {
      const { complete } = reader
      reader.ending = true
      if (!reader.over) parser.end()
      reader.finish()
      return complete
    },
  }
}

class XmlReader {
  /** True at the end of the file, which closes open elements: that does not make the file complete. */
  ending = false
  /** True for a file that is no sitemap, or nested too deeply, or with too many attributes. */
  over = false
  /** True for a file that is no sitemap, and once the root is closed. */
  complete = false
  readonly #found: Found
  #depth = 0
  #attributes = 0
  #prefix = ''
  #entry: Entry | null = null
  #field = ''
  #fieldDepth = 0
  #text = ''

  constructor(found: Found) {
    this.#found = found
  }

  onopentagname(): void {
    this.#attributes = 0
  }

  onattribute(): void {
    this.#attributes++
    if (this.#attributes > maxAttributes) this.over = true
  }

  onopentag(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#depth++
    if (this.#depth === 1) this.#root(name)
    if (this.#depth > maxDepth) this.over = true
    if (this.over) return
    const own = this.#own(name)
    const kind = holders.get(own)
    // Entries are only near the root: inside an entry, `item` may mean anything.
    if (kind !== undefined && this.#depth <= 3) {
      this.finish()
      this.#entry = { kind, depth: this.#depth, values: new Map() }
      const about = attributes['rdf:about']
      if (about !== undefined) this.#entry.values.set('guid', about)
    } else if (this.#entry !== null) this.#open(own, attributes, this.#entry.depth)
  }

  #root(name: string): void {
    const colon = name.indexOf(':')
    const local = name.slice(colon + 1)
    if (!roots.has(local)) this.over = this.complete = true
    // RSS 1.0 has only its root in another namespace.
    this.#prefix = local === 'RDF' ? '' : name.slice(0, colon + 1)
  }

  /** The name without the root's prefix; names in other namespaces keep theirs. */
  #own(name: string): string {
    if (this.#prefix === '') return name
    return name.startsWith(this.#prefix) ? name.slice(this.#prefix.length) : name.includes(':') ? name : ''
  }

  #open(own: string, attributes: Readonly<Record<string, string>>, holder: number): void {
    // Deeper elements describe other things, such as the source of an entry or an image. Only the news extension is read.
    const near = this.#depth === holder + 1 || own.startsWith('news:')
    const field = fields.get(own)
    if (this.#field !== '' || !near || field === undefined) return
    const { href, rel, isPermaLink } = attributes
    // Atom has the address in an attribute.
    if (own === 'link' && href !== undefined) {
      if ((rel ?? 'alternate') === 'alternate') this.#keep('loc', href)
    } else if (own !== 'guid' || isPermaLink !== 'false') {
      this.#field = field
      this.#fieldDepth = this.#depth
      this.#text = ''
    }
  }

  ontext(data: string): void {
    if (this.#field !== '' && this.#text.length <= maxAddress) this.#text += data
  }

  onclosetag(): void {
    this.#depth--
    if (this.#depth === 0) this.complete = true
    if (this.#entry === null) return
    if (this.#field !== '' && this.#depth < this.#fieldDepth) {
      if (!this.ending) this.#keep(this.#field, this.#text)
      this.#field = ''
    }
    if (this.#depth < this.#entry.depth) this.finish()
  }

  /** Keeps the first value, because `media:title` and the like come later. */
  #keep(field: string, value: string): void {
    const trimmed = value.trim()
    const values = this.#entry?.values
    if (values !== undefined && trimmed !== '' && !values.has(field)) values.set(field, trimmed)
  }

  finish(): void {
    const entry = this.#entry
    this.#entry = null
    this.#field = ''
    if (entry === null || this.#found.full) return
    const date = isoDate(entry.values.get('date') ?? '')
    const title = entry.values.get('title')?.replace(/\s+/g, ' ').slice(0, maxTitle)
    const description = entry.kind === 'feed' ? shortHtml(entry.values.get('description') ?? '') : undefined
    const reference = entry.values.get('loc') ?? entry.values.get('guid')
    if (reference === undefined) return
    this.#found.add(entry.kind, reference, { ...(date !== undefined && { lastModified: date }), ...(title !== undefined && { title }), ...(description !== undefined && { description }) })
  }
}
