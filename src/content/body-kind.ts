/** How a body is to be read. */
export type BodyKind = 'html' | 'xhtml' | 'json' | 'xml' | 'text'

const jsonSniffLimit = 5_000_000
const scripts: ReadonlySet<string> = new Set(['application/javascript', 'application/x-javascript', 'application/ecmascript', 'application/yaml', 'application/x-yaml', 'application/toml', 'application/sql', 'application/x-sh'])

/**
 * The kind of a body: by the media type, or by the first characters when the type is missing, too general or plainly wrong.
 * A page sent as text or JSON is read as a page; a feed or JSON sent as a page is not.
 */
export function bodyKind(mediaType: string, text: string): BodyKind {
  const start = text.slice(0, 2048).trimStart().toLowerCase()
  const declared = declaredKind(mediaType)
  if (declared === 'xml' || declared === 'xhtml') return /<html[\s>]/.test(start) ? (start.startsWith('<?xml') || declared === 'xhtml' ? 'xhtml' : 'html') : declared === 'xhtml' ? 'html' : 'xml'
  if (startsAsPage(start)) return 'html'
  if (declared === 'json' || declared === 'text') return declared
  if (startsAsXml(start)) return 'xml'
  if (isJson(start, text)) return 'json'
  if (declared === 'html') return 'html'
  if (start.startsWith('<?xml')) return /<html[\s>]/.test(start) ? 'html' : 'xml'
  // An empty body without a type is a page without content. Logs, mails and programs hold signs of tags further down.
  return start === '' || /^<[a-z!?]/.test(start) ? 'html' : 'text'
}

function declaredKind(mediaType: string): BodyKind | undefined {
  if (mediaType === 'text/html') return 'html'
  if (mediaType === 'application/xhtml+xml') return 'xhtml'
  if (mediaType.endsWith('/json') || mediaType.endsWith('+json') || mediaType === 'application/x-ndjson') return 'json'
  if (mediaType.endsWith('/xml') || mediaType.endsWith('+xml')) return 'xml'
  if (mediaType.startsWith('text/') || scripts.has(mediaType)) return 'text'
  return undefined
}

const comments: readonly Mark[] = [['<!--', '-->']]
const prolog: readonly Mark[] = [...comments, ['<?', '>']]

/** How a thing that may precede the first element begins and ends. */
type Mark = readonly [open: string, close: string]

function startsAsPage(start: string): boolean {
  return /^<(?:!doctype\s+html|html[\s>]|head[\s>]|body[\s>])/.test(behind(comments, start))
}

function startsAsXml(start: string): boolean {
  return /^<(?:rss|feed|rdf:rdf|urlset|sitemapindex|opml|svg)[\s>]/.test(behind(prolog, start))
}

/**
 * The text after any such things. A loop, because a pattern that can match comments in several ways tries them all on a row
 * of comments.
 */
function behind(marks: readonly Mark[], start: string): string {
  for (let rest = start; ; ) {
    const mark = marks.find(([open]) => rest.startsWith(open))
    const end = mark === undefined ? -1 : rest.indexOf(mark[1], 2)
    if (mark === undefined || end < 0) return rest
    rest = rest.slice(end + mark[1].length).trimStart()
  }
}

function isJson(start: string, text: string): boolean {
  if (!/^[[{]/.test(start) || text.length > jsonSniffLimit) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
