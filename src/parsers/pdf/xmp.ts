import { urlOf } from '../../lib/url-of.ts'

/** Longest metadata packet that is read, in bytes: documents do not say more than this about themselves. */
const longest = 1_000_000
const mostPackets = 50
/** How many characters before and after the catalog's type are searched. */
const reach = 2_000

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const plainText = (xml: string): string => xml.replace(/<[^>]*>/g, ' ').replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal?: string, hexadecimal?: string, name?: string) => {
  if (name !== undefined) return entities[name] ?? whole
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
}).replace(/\s+/g, ' ').trim()

/** The XMP packet (ISO 16684) of the document itself; pictures inside have packets of their own. */
function packetOf(bytes: Buffer): string {
  let found = ''
  for (let at = bytes.indexOf('<x:xmpmeta'), count = 0; at >= 0 && count < mostPackets; at = bytes.indexOf('<x:xmpmeta', at + 1), count++) {
    const end = bytes.indexOf('</x:xmpmeta>', at)
    if (end < 0) break
    if (end - at > longest) continue
    const text = bytes.toString('utf8', at, end)
    // The last saved version comes last in the file.
    if (/application\/pdf|pdf:Producer|pdfaid:|pdfx:/.test(text)) found = text
  }
  return found
}

/** The text of the document catalog, when it is not compressed; otherwise ''. */
function catalogOf(bytes: Buffer): string {
  const at = Math.max(bytes.lastIndexOf('/Type/Catalog'), bytes.lastIndexOf('/Type /Catalog'))
  if (at < 0) return ''
  const [before, after] = [bytes.toString('latin1', Math.max(0, at - reach), at), bytes.toString('latin1', at, at + reach)]
  return before.slice(before.lastIndexOf(' obj') + 1) + after.slice(0, (after.indexOf('endobj') + reach + 1) % (reach + 1))
}

function languageOf(bytes: Buffer): string | undefined {
  const text = catalogOf(bytes)
  const found = /\/Lang\s*\(([^()\\]{1,60})\)/.exec(text)?.[1] ?? Buffer.from(/\/Lang\s*<([\da-f\s]{4,120})>/i.exec(text)?.[1]?.replace(/\s/g, '') ?? '', 'hex').toString('latin1')
  const tag = found.replace(/^\u00fe\u00ff|\0/g, '')
  return /^[a-z]{2,3}(?:-[a-z\d]{1,8})*$/i.test(tag) ? tag : undefined
}

/**
 * The base of a file's relative links: the one in its catalog (PDF 1.7, 12.6.4.7), otherwise the address the file is from;
 * null when that is not http or https.
 */
export function baseOf(bytes: Buffer, from: string | undefined): string | null {
  const said = /\/URI\s*<<\s*\/Base\s*\(([^()\\]{1,2000})\)/.exec(catalogOf(bytes))?.[1]
  const base = said === undefined ? from : (urlOf(said, from)?.href ?? from)
  return base !== undefined && /^https?:/i.test(base) ? base : null
}

/**
 * Metadata outside of the info dictionary, which newer files omit: from the XMP packet and the catalog, unless they are
 * compressed.
 */
export function saidBeside(bytes: Buffer): Readonly<Record<string, string | undefined>> {
  const packet = packetOf(bytes)
  const one = (name: string): string | undefined => plainText(new RegExp(`<${name}(?:\\s[^>]*)?>([^]{0,20000}?)</${name}>`).exec(packet)?.[1]?.replace(/<\/rdf:li>\s*<rdf:li[^>]*>/g, ', ') ?? new RegExp(`\\s${name}="([^"]{0,2000})"`).exec(packet)?.[1] ?? '') || undefined
  const firstOf = (name: string): string | undefined => plainText(new RegExp(`<${name}>[^]{0,200}?<rdf:li[^>]*>([^<]{0,5000})</rdf:li>`).exec(packet)?.[1] ?? '') || undefined
  return { title: firstOf('dc:title'), author: one('dc:creator'), subject: firstOf('dc:description'), keywords: one('pdf:Keywords') ?? one('dc:subject'), created: one('xmp:CreateDate'), modified: one('xmp:ModifyDate'), language: languageOf(bytes) ?? firstOf('dc:language') }
}

/** The values of `first`, and those of `beside` where `first` has none. */
export function saidFirst(first: Readonly<Record<string, string | undefined>>, beside: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string | undefined>> {
  return { ...beside, ...Object.fromEntries(Object.entries(first).filter(([, text]) => text !== undefined && text.trim() !== '')) }
}
