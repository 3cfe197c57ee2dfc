import type { AnyNode, Element } from 'domhandler'
import { isElement, isText } from '../../html/tree.ts'
import { urlOf } from '../../../lib/url-of.ts'
import { classesOf, walk } from '../dom.ts'
import type { Handler, Page } from '../page.ts'

/** Boxes of a preview above its parts. */
const mostBoxes = 6
/** Nodes of an embedded post that are looked at. */
const mostNodes = 300
const embedClass = / (?:twitter-tweet|twitter-video|mastodon-embed|bluesky-embed|instagram-media|tiktok-embed|reddit-embed-bq|reddit-card|threads-post|text-post-media) /
/** What stands for a post, or a part of it, until its script has run. */
const placeholder = /^\s*(?:view (?:this|on|more on) [^.]{3,30}|\[image or embed\])\s*$/i
const previewIcon = / (?:avatar|site-icon|thumbnail|onebox-avatar|onebox-avatar-inline) /

/** Whether an element is a post of the same forum that a post quotes (Discourse). */
const isForumQuote = (node: AnyNode | null): boolean => node !== null && isElement(node) && node.name === 'aside' && / quote /.test(classesOf(node))

const isPreview = (node: AnyNode): boolean => isElement(node) && node.name === 'aside' && / onebox /.test(classesOf(node))

function boxOf(element: Element, isBox: (node: AnyNode) => boolean): Element | undefined {
  let up: AnyNode | null = element.parent
  for (let boxes = 0; boxes < mostBoxes && up !== null && isElement(up); boxes++, up = up.parent) if (isBox(up)) return up
  return undefined
}

/** Whether an element is part of the preview of another page (Discourse): its heading is none of this page. */
export const isInPreview = (element: Element): boolean => boxOf(element, isPreview) !== undefined

/** The id of what a member of a forum wrote. */
const ofPost = /^(?:post[-_])?(?:post|message|msg)[-_]\d{1,18}$/i

/** Whether an element called a quotation is none of its own: it stands in a box that is written as one, or is all of a post (vBulletin). */
export function isQuotedAlready(element: Element): boolean {
  const { parent } = element
  return isForumQuote(parent) || (parent !== null && isElement(parent) && ofPost.test(parent.attribs['id'] ?? '') && parent.children.every((child) => child === element || (isText(child) && child.data.trim() === '')))
}

/** Whether a picture is the sign of a quoted person or of a previewed site, and says nothing. */
export function isQuoteIcon(element: Element): boolean {
  return previewIcon.test(classesOf(element)) && boxOf(element, (node) => isForumQuote(node) || isPreview(node)) !== undefined
}

const nothing: Handler = { enter: () => false }

/** The handlers of what is quoted: the box, and the title that says who. */
interface Quoting {
  readonly quote: Handler
  readonly title: Handler
}

/** The handler of quoted and previewed pages of forums, and of embedded posts; undefined for all other elements. */
export function quotedRole(element: Element, { quote, title }: Quoting): Handler | undefined {
  const { name, parent } = element
  const classes = classesOf(element)
  if ((name === 'aside' && / (?:quote|onebox) /.test(classes)) || (name === 'div' && classes.includes(' bbcode_quote '))) return quote
  if (name === 'blockquote' && embedClass.test(classes)) return embedded(quote)
  if (/ title /.test(classes) && isForumQuote(parent)) return title
  if (/ badge-(?:wrapper|category__wrapper|category) /.test(classes) && boxOf(element, isForumQuote) !== undefined) return nothing
  // The box of a picture that opens: its name again, and its size.
  if (/ meta /.test(classes) && parent !== null && isElement(parent) && / lightbox /.test(classesOf(parent))) return nothing
  // What unfolds the rest of an excerpt, which follows, in the middle of a word (Discourse).
  if (/ show-more(?:-container)? /.test(classes) && boxOf(element, isPreview) !== undefined) return nothing
  return name === 'header' && / source /.test(classes) && parent !== null && isPreview(parent) && holdsTitle(parent) ? nothing : undefined
}

function holdsTitle(preview: AnyNode): boolean {
  let found = false
  let nodes = 0
  walk(preview, (node) => {
    found = isElement(node) && (node.name === 'h3' || node.name === 'h4')
    return found || ++nodes > mostNodes ? 'stop' : 'into'
  })
  return found
}

/** An embedded post: as a quotation, without what only stands for it, and with its address. */
function embedded(quote: Handler): Handler {
  return {
    enter(element, page) {
      omitPlaceholders(element, page)
      return quote.enter(element, page)
    },
    leave(element, page) {
      writeAddress(element, page)
      quote.leave?.(element, page)
    },
  }
}

function omitPlaceholders(element: Element, page: Page): void {
  const found: AnyNode[] = []
  let others = 0
  let nodes = 0
  walk(element, (node) => {
    if (isText(node) && placeholder.test(node.data.slice(0, 100))) found.push(node)
    else if (isText(node) && node.data.trim() !== '') others++
    return ++nodes > mostNodes ? 'stop' : 'into'
  })
  if (others > 0) for (const node of found) page.omit(node)
}

/** Writes the address of a post when none of its links has it. */
function writeAddress(element: Element, page: Page): void {
  const { attribs } = element
  const url = urlOf(attribs['cite'] ?? attribs['data-instgrm-permalink'] ?? attribs['data-text-post-permalink'] ?? '', page.options.baseUrl)
  if (url === null || url.protocol !== 'https:' || url.href === page.options.baseUrl) return
  const address = `${url.origin}${url.pathname}`
  let linked = false
  let nodes = 0
  walk(element, (node) => {
    linked = isElement(node) && node.name === 'a' && (node.attribs['href'] ?? '').startsWith(address)
    return linked || ++nodes > mostNodes ? 'stop' : 'into'
  })
  if (linked) return
  page.boundary()
  page.link = { url: address, title: '' }
  page.text(address)
  page.link = null
}

/** The address of the post that a frame shows; undefined when it shows none. */
export function postIn(frame: URL): string | undefined {
  const { hostname, pathname, searchParams } = frame
  const host = hostname.replace(/^www\./, '')
  if (host === 'platform.twitter.com' || host === 'platform.x.com') {
    const id = searchParams.get('id')
    return id !== null && /^\d{1,25}$/.test(id) ? `https://twitter.com/i/status/${id}` : undefined
  }
  if (host === 'instagram.com') return /^\/(?:p|reel|tv)\/[\w-]+\//.exec(pathname)?.[0].replace(/^/, 'https://www.instagram.com')
  const [, author, post] = host === 'embed.bsky.app' ? (/^\/embed\/([\w:.-]+)\/app\.bsky\.feed\.post\/(\w+)/.exec(pathname) ?? []) : []
  if (author !== undefined) return `https://bsky.app/profile/${author}/post/${post}`
  const toot = /^\/@[\w.@-]+\/\d+(?=\/embed$)/.exec(pathname)?.[0]
  return toot === undefined ? undefined : `https://${hostname}${toot}`
}
