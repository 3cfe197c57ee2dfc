import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime'
import { percentDecoded } from '../../lib/percent-decoded.ts'
import type { Converted } from './converted.ts'
import { escapeHtml, Pictures } from './html.ts'
import { UnreadableDocument } from './unreadable.ts'

/** The saved page in a file, and its address, if it is one. */
export interface SavedPage {
  readonly html: string
  readonly page: string
}

/** Reads a mail, or a web page that a browser saved as one. Throws `UnreadableDocument`. */
export async function readMail(bytes: Uint8Array): Promise<Converted> {
  const mail = await PostalMime.parse(bytes)
  if (mail.headers.length === 0) throw new UnreadableDocument('broken')
  const saved = await savedPage(mail, bytes)
  return saved === null ? mailHtml(mail) : { ...saved, metadata: {}, warnings: [] }
}

const headerOf = ({ headers }: Email, name: string): string => headers.find(({ key }) => key === name)?.value ?? ''

/** Browsers put the page first and say where it was found; what follows are its pictures, style sheets and frames. */
async function savedPage(mail: Email, bytes: Uint8Array): Promise<SavedPage | null> {
  const type = headerOf(mail, 'content-type')
  const boundary = /^multipart\/related;[^]*?boundary="?([^";\s]{1,200})/i.exec(type)?.[1]
  const root = boundary === undefined ? mail : await PostalMime.parse(firstPart(bytes, `--${boundary}`))
  const page = headerOf(root, 'content-location').trim()
  return root.html !== undefined && /^https?:\/\//i.test(page) ? { html: root.html, page } : null
}

function firstPart(bytes: Uint8Array, mark: string): Uint8Array {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const from = all.indexOf(`\n${mark}`) + mark.length + 1
  const start = all.indexOf('\n', from) + 1
  const end = all.indexOf(`\n${mark}`, start)
  return all.subarray(start, end < 0 ? undefined : end)
}

/** Fields of a mail's head that tell its readers something, in the order in which programs show them. */
const shown = ['From', 'To', 'Cc', 'Date'] as const

function mailHtml(mail: Email): Converted {
  const pictures = new Pictures()
  const title = mail.subject?.trim() ?? ''
  const values = { From: mail.from === undefined ? '' : named(mail.from), To: (mail.to ?? []).map(named).join(', '), Cc: (mail.cc ?? []).map(named).join(', '), Date: headerOf(mail, 'date').trim() }
  const lines = shown.filter((name) => values[name] !== '').map((name) => `<strong>${name}:</strong> ${escapeHtml(values[name])}`)
  const used = new Set<Attachment>()
  const body = mail.html?.trim() ? withPictures(mail, used, pictures) : textHtml(mail.text ?? '')
  const html = [title === '' ? '' : `<h1>${escapeHtml(title)}</h1>`, lines.length === 0 ? '' : `<p>${lines.join('<br>')}</p>`, body, attached(mail.attachments.filter((one) => !used.has(one)))]
  return {
    html: html.filter((part) => part !== '').join('\n'),
    metadata: { title, author: mail.from?.name || mail.from?.address, publishedTime: sentAt(mail) },
    warnings: [...pictures.warnings(), ...(body === '' ? ['The mail has no text of its own that can be read.'] : [])],
  }
}

/** When a mail was sent; the zone of a date that names none is not that of this machine. */
function sentAt(mail: Email): string | undefined {
  const said = headerOf(mail, 'date').trim()
  const local = /^[^+]*\d$/.test(said) && !/\s-\d{4}$/.test(said) ? Date.parse(`${said} UTC`) : NaN
  return Number.isNaN(local) ? mail.date : new Date(local).toISOString().slice(0, -'.000Z'.length)
}

function named({ name, address, group }: Address): string {
  if (group !== undefined) return `${name}: ${group.map(named).join(', ')}`
  return name === '' || name === address ? (address ?? '') : `${name} <${address ?? ''}>`
}

/** Code, patches and drawings, which need their blanks. */
const isIndented = /^[ +-]?(?:\t| {2})/m

function paragraph(text: string): string {
  const escaped = escapeHtml(text.replace(/^\n+|\s+$/g, ''))
  return isIndented.test(text) ? `<pre>${escaped}\n</pre>` : `<p>${escaped.replaceAll('\n', '<br>')}</p>`
}

/** Paragraphs with their line ends, and what is quoted by `>` as quotations. */
function textHtml(text: string, depth = 0): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  const isQuoted = (line: string | undefined): boolean => depth < 20 && line?.startsWith('>') === true
  const parts: string[] = []
  for (let i = 0; i < lines.length; ) {
    const from = i
    while (i < lines.length && isQuoted(lines[i]) === isQuoted(lines[from])) i++
    const run = lines.slice(from, i)
    if (isQuoted(run[0])) parts.push(`<blockquote>${textHtml(run.map((line) => line.replace(/^> ?/, '')).join('\n'), depth + 1)}</blockquote>`)
    else parts.push(...run.join('\n').split(/\n[^\S\n]*\n/).filter((part) => part.trim() !== '').map(paragraph))
  }
  return parts.join('\n')
}

/** Embeds the pictures to which the HTML of a mail refers by their ids; these are then `used`. */
function withPictures({ html = '', attachments }: Email, used: Set<Attachment>, pictures: Pictures): string {
  const byId = new Map(attachments.map((one) => [one.contentId?.replace(/^<|>$/g, ''), one]))
  return html.trim().replace(/(<img\b[^<>]{0,2000}?\bsrc\s*=\s*["']?)cid:([^"'\s<>]{1,300})/gi, (_all, start: string, id: string) => {
    const found = byId.get(percentDecoded(id))
    if (found !== undefined) used.add(found)
    return `${start}${found === undefined ? '' : pictures.source(found.mimeType, bytesOf(found))}`
  })
}

const bytesOf = ({ content }: Attachment): Uint8Array => (typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content))

/** The files that are attached to a mail, which are not read. */
function attached(attachments: readonly Attachment[]): string {
  const items = attachments.map((one) => `<li>${escapeHtml(`${one.filename ?? one.description ?? 'without a name'} (${one.mimeType}, ${bytesOf(one).length} bytes)`)}</li>`)
  return items.length === 0 ? '' : `<p><strong>Attachments:</strong></p>\n<ul>${items.join('')}</ul>`
}
