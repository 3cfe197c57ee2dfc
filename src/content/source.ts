import type { Capture } from '../domain/pages/capture.ts'
import { header } from '../domain/pages/capture.ts'
import { textType } from '../domain/pages/file-kind.ts'
import { once } from '../lib/once.ts'
import { baseOf } from './html/address.ts'
import { type BodyKind, bodyKind } from './body-kind.ts'
import { decode } from './charset/index.ts'
import { encodeQueries } from './charset/queries.ts'
import { settleBody } from './html/implied-body.ts'
import { parse, type Parsed } from './html/parse.ts'
import { type Feed, feedOf } from './plain/feed.ts'
import { Matcher } from './selectors/selectors.ts'
import { type Signs, signsOf } from './verdict/signs.ts'
import { Document, Element, noAttributes, Text } from './html/tree.ts'

/** The body of a capture, decoded and parsed: each part is made when it is first asked for. */
export interface Source {
  text(): string
  kind(): BodyKind
  /** Whether the body is HTML or XHTML. */
  isPage(): boolean
  /** The tree; of a body that is not a page, its text as one preformatted element. */
  document(): Document
  /** The feed that the text is; null when it is none. */
  feed(): Feed | null
  /** Levels of nesting in the tree. */
  depth(): number
  /** Elements that the browser saw to be invisible. */
  noted(): ReadonlySet<Element>
  /** What relative addresses on the page are resolved against. */
  base(): string
  signs(): Signs
  matcher(): Matcher
}

function verbatim(text: string): Omit<Parsed, 'warnings'> {
  return { document: new Document([new Element('pre', noAttributes, [new Text(text)])]), depth: 0, noted: new Set() }
}

/** Decodes and parses a capture's body on demand; `warn` receives what the parser had to leave out. Never throws for any body. */
export function sourceOf(capture: Capture, warn: (sentence: string) => void): Source {
  const decoded = once(() => decode(capture.body, header(capture, 'content-type')))
  const text = (): string => decoded().text
  const kind = once(() => bodyKind(textType(capture), text()))
  const isPage = (): boolean => kind() === 'html' || kind() === 'xhtml'
  const parsed = once((): Omit<Parsed, 'warnings'> => {
    if (!isPage()) return verbatim(text())
    const { warnings, ...made } = parse(text(), kind() === 'xhtml', capture.unseen)
    warnings.forEach(warn)
    encodeQueries(made.document, decoded().encoding)
    return { ...made, depth: made.depth + settleBody(made.document) }
  })
  const document = (): Document => parsed().document
  const feed = once(() => {
    const found = feedOf(text(), capture.url)
    if (found !== null && found.more > 0) warn(`The feed is longer than is read; its last ${found.more} entries are missing.`)
    return found
  })
  return {
    text,
    kind,
    isPage,
    document,
    feed,
    depth: () => parsed().depth,
    noted: () => parsed().noted,
    base: once(() => (isPage() ? baseOf(document(), capture.url) : capture.url)),
    signs: once(() => signsOf(document())),
    matcher: once(() => new Matcher(document())),
  }
}
