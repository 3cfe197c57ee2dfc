import { escapeHtml as escaped } from '../../lib/escape-html.ts'

/** Escapes text for HTML, without the characters that HTML does not allow. */
export function escapeHtml(text: string): string {
  return escaped(text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f]/g, ''))
}

/** The style of a text run. */
export interface Look {
  readonly bold?: boolean
  readonly italic?: boolean
  readonly strike?: boolean
  readonly code?: boolean
  readonly raised?: boolean
  readonly lowered?: boolean
}

const tags: readonly (readonly [keyof Look, string])[] = [['code', 'code'], ['raised', 'sup'], ['lowered', 'sub'], ['strike', 's'], ['italic', 'em'], ['bold', 'strong']]

/** Wraps inline HTML in the elements for a style. */
export function dressed(html: string, look: Look): string {
  if (html.trim() === '') return html
  return tags.reduce((inner, [key, tag]) => (look[key] === true ? `<${tag}>${inner}</${tag}>` : inner), html)
}

const even = /\b(?:courier|consolas|menlo|monaco|mono|monospace|lucida console|cascadia code|fira code|source code pro|inconsolata|terminal)\b/i

/** Whether a font is one of typewriters, in which code is set. */
export const isEvenFont = (font: string | undefined): boolean => font !== undefined && even.test(font)

/** Matches a paragraph that is entirely code. */
const allCode = /^(?:<code>[^<]*<\/code>|<br>|\s)*$/

/** A paragraph that is entirely code as a preformatted block; undefined for any other. Adjacent blocks may be joined. */
export function codeBlock(html: string): string | undefined {
  return allCode.test(html) ? `<pre>${html.replace(/<\/?code>/g, '').replace(/(?:<br>)+/g, '\n')}\n</pre>` : undefined
}

/** A link, if the address is outside of the document; otherwise only its content. */
export function link(html: string, href: string | undefined): string {
  return href !== undefined && href.length <= 4_000 && /^(?:https?:\/\/|mailto:)/i.test(href) && html.trim() !== '' ? `<a href="${escapeHtml(href)}">${html}</a>` : html
}

/** A paragraph of a document in which lists are only marked by paragraph. */
export interface Paragraph {
  readonly tag: 'p' | 'h1' | 'h2' | 'h3' | 'h4' | 'h5' | 'h6'
  readonly html: string
  /** Set for a list item; levels start at 0. `start` is the number that its list begins with, `value` its own. */
  readonly list?: { readonly level: number; readonly ordered: boolean; readonly start?: number; readonly value?: number } | undefined
}

const deepestList = 19

/** Consecutive paragraphs as HTML, with list items nested in lists. */
export function flow(paragraphs: readonly Paragraph[]): string {
  const open: { readonly name: string; next: number }[] = []
  const parts: string[] = []
  /** The outermost level of the open list, which need not be the first. */
  let outermost = 0
  const closeTo = (depth: number): void => {
    while (open.length > depth) parts.push(`</li></${open.pop()?.name}>`)
  }
  for (const { tag, html, list } of paragraphs) {
    if (html.trim() === '') continue
    if (list === undefined) {
      closeTo(0)
      parts.push((tag === 'p' ? codeBlock(html) : undefined) ?? `<${tag}>${html}</${tag}>\n`)
      continue
    }
    const name = list.ordered ? 'ol' : 'ul'
    outermost = open.length === 0 ? list.level : Math.min(outermost, list.level)
    const depth = Math.min(list.level - outermost, open.length, deepestList)
    closeTo(depth + 1)
    if (open[depth] !== undefined && open[depth].name !== name) closeTo(depth)
    const here = open[depth]
    const value = list.value ?? here?.next ?? list.start ?? 1
    const isUsual = !list.ordered || value === (here?.next ?? 1)
    if (here === undefined) {
      open.push({ name, next: value + 1 })
      parts.push(isUsual ? `<${name}><li>` : `<ol start="${value}"><li>`)
    } else {
      here.next = value + 1
      parts.push(isUsual ? '</li><li>' : `</li><li value="${value}">`)
    }
    parts.push(html)
  }
  closeTo(0)
  return parts.join('').replaceAll('</pre><pre>', '')
}

/** A cell of a table. */
export interface Cell {
  readonly html: string
  readonly columns?: number
  readonly rows?: number
}

const span = ({ columns = 1, rows = 1 }: Cell): string => `${columns > 1 ? ` colspan="${columns}"` : ''}${rows > 1 ? ` rowspan="${rows}"` : ''}`

/** A table; its first `heads` rows are its head. */
export function table(rows: readonly (readonly Cell[])[], heads: number): string {
  const row = (cells: readonly Cell[], tag: 'td' | 'th'): string => `<tr>${cells.map((cell) => `<${tag}${span(cell)}>${cell.html}</${tag}>`).join('')}</tr>`
  const head = rows.slice(0, heads).map((cells) => row(cells, 'th')).join('')
  const body = rows.slice(heads).map((cells) => row(cells, 'td')).join('')
  return rows.length === 0 ? '' : `<table>${head === '' ? '' : `<thead>${head}</thead>`}<tbody>${body}</tbody></table>\n`
}

const kinds: Readonly<Record<string, string>> = { png: 'png', jpg: 'jpeg', jpeg: 'jpeg', gif: 'gif', webp: 'webp', svg: 'svg+xml', 'svg+xml': 'svg+xml' }

const marks: readonly (readonly [string, string])[] = [['\x89PNG', 'png'], ['\xff\xd8\xff', 'jpeg'], ['GIF8', 'gif'], ['RIFF', 'webp']]

/** The kind of a picture by how it begins; '' for one that browsers do not show. */
export function kindOfPicture(bytes: Uint8Array | undefined): string {
  const start = Buffer.from(bytes?.subarray(0, 4) ?? []).toString('latin1')
  return marks.find(([mark]) => start.startsWith(mark))?.[1] ?? ''
}

/** Size limits of a single picture and of all pictures in a document, in bytes. */
const maxPicture = 256 * 1024
const maxPictures = 4 * 1024 * 1024

/** An image by its address and its escaped description; without an address, the description. */
export const imageHtml = (source: string, alt: string): string => (source !== '' ? `<img alt="${alt}" src="${source}">` : alt.trim() === '' ? '' : `<em>${alt}</em>`)

/** Embeds the pictures of a document into its HTML as long as they are small; counts the others. */
export class Pictures {
  #left = maxPictures
  #dropped = 0

  /** The data URI of a picture, by its file name or media type; '' for one that is left out. */
  source(name: string, bytes: Uint8Array | undefined): string {
    const kind = kinds[/[^./]*$/.exec(name.toLowerCase())?.[0] ?? '']
    if (bytes === undefined || kind === undefined || bytes.length > Math.min(maxPicture, this.#left)) {
      this.#dropped++
      return ''
    }
    this.#left -= bytes.length
    return `data:image/${kind};base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')}`
  }

  /** A picture with its description; only the description when the picture is left out. */
  html(name: string, bytes: Uint8Array | undefined, alt: string): string {
    return imageHtml(this.source(name, bytes), escapeHtml(alt))
  }

  warnings(): string[] {
    return this.#dropped === 0 ? [] : [`Pictures that are large, or of a kind that browsers do not show, are left out (${this.#dropped}).`]
  }
}
