import { encodingOf } from './labels.ts'

/**
 * How far a declaration is searched, and how far in a longer head. The standard asks for 1,024 bytes and allows more;
 * browsers read to the end of the head.
 */
const prescanBytes = 16_384
const headBytes = 262_144

const space = '[\\t\\n\\f\\r /]'
const attribute = new RegExp(`${space}*([^\\t\\n\\f\\r />=]+)[\\t\\n\\f\\r ]*(?:=[\\t\\n\\f\\r ]*(?:"([^"]*)"|'([^']*)'|([^\\t\\n\\f\\r >]*)))?`, 'y')

/**
 * The encoding declared at the start of a page by an XML declaration or a `meta` element (HTML standard, 13.2.3.2); null
 * without one.
 */
export function prescan(body: Uint8Array): string | null {
  const start = startOf(body, prescanBytes)
  return xmlDeclaration(start) ?? metaDeclaration(start) ?? (body.length > prescanBytes ? metaInLongHead(startOf(body, headBytes)) : null)
}

const startOf = (body: Uint8Array, bytes: number): string => Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, bytes)).toString('latin1')

/** The same for heads that are filled with inline styles and scripts. */
function metaInLongHead(text: string): string | null {
  const end = text.search(/<\/head[\s>]|<body[\s>]/i)
  return end > prescanBytes ? metaDeclaration(text.slice(0, end)) : null
}

function xmlDeclaration(text: string): string | null {
  if (!text.startsWith('<?xml')) return null
  const end = text.indexOf('>')
  const declaration = end < 0 ? '' : text.slice(0, end)
  const label = /\sencoding\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(declaration)
  return declared(label?.[1] ?? label?.[2])
}

function metaDeclaration(text: string): string | null {
  let at = text.indexOf('<')
  while (at >= 0) {
    if (text.startsWith('<!--', at)) {
      const end = text.indexOf('-->', at + 2)
      if (end < 0) return null
      at = text.indexOf('<', end + 3)
    } else {
      const found = /^<meta[\t\n\f\r /]/i.test(text.slice(at, at + 6)) ? metaEncoding(attributesAt(text, at + 5)) : null
      if (found) return found
      at = text.indexOf('<', afterTag(text, at))
    }
  }
  return null
}

/** The index after the tag that starts here, so that `<meta` inside an attribute value does not count. */
function afterTag(text: string, at: number): number {
  const tag = /<\/?[a-z][^\t\n\f\r />]*/iy
  tag.lastIndex = at
  const name = tag.exec(text)
  if (!name) return at + 1
  let end = tag.lastIndex
  attribute.lastIndex = end
  while (attribute.exec(text)) end = attribute.lastIndex
  return Math.max(end, at + 1)
}

function attributesAt(text: string, at: number): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  attribute.lastIndex = at
  for (let match = attribute.exec(text); match; match = attribute.exec(text)) {
    const name = (match[1] ?? '').toLowerCase()
    if (!found.has(name)) found.set(name, match[2] ?? match[3] ?? match[4] ?? '')
  }
  return found
}

function metaEncoding(attributes: ReadonlyMap<string, string>): string | null {
  const charset = attributes.get('charset')
  if (charset !== undefined) return declared(charset)
  if (attributes.get('http-equiv')?.toLowerCase() !== 'content-type') return null
  return declared(charsetOf(attributes.get('content') ?? ''))
}

/** The value of `charset=` in a media type, parsed as leniently as browsers do. */
export function charsetOf(mediaType: string): string | undefined {
  const found = /charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r ;"',]+))/i.exec(mediaType)
  return found?.[1] ?? found?.[2] ?? found?.[3]
}

/**
 * The encoding that a declaration means: a page that can be read this far is not UTF-16, and `x-user-defined` in a page
 * means windows-1252.
 */
function declared(label: string | undefined): string | null {
  const encoding = label === undefined ? null : encodingOf(label)
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return 'utf-8'
  return encoding === 'x-user-defined' ? 'windows-1252' : encoding
}
