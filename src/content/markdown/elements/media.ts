import type { Element } from 'domhandler'
import { isElement } from '../../html/tree.ts'
import { headingTags } from '../../html/tag-sets.ts'
import { tells } from '../../telling-buttons.ts'
import { operationApart } from '../fields.ts'
import { textOf, walk } from '../dom.ts'
import type { Handler, Page } from '../page.ts'
import { resolve } from './links.ts'
import { postIn } from './quoted.ts'

const videoHosts = /(?:^|\.)(?:youtube\.com|youtube-nocookie\.com|youtu\.be|vimeo\.com|dailymotion\.com|twitch\.tv|loom\.com|wistia\.(?:com|net)|vidyard\.com|bilibili\.com|ted\.com|streamable\.com|spotify\.com|soundcloud\.com|tiktok\.com|rumble\.com|odysee\.com|brightcove\.net|codepen\.io|jsfiddle\.net|codesandbox\.io)$/

/** Writes a link in place of embedded media. */
function writeLink(text: string, url: string, page: Page): void {
  const outer = page.link
  page.link = { url, title: '' }
  page.text(text)
  page.link = outer
}

const frame: Handler = {
  enter(element, page) {
    const source = element.attribs['src'] ?? element.attribs['data-src'] ?? element.attribs['data-lazy-src'] ?? ''
    const url = resolve(source, page.options.baseUrl)
    if (url === null) return false
    const post = postIn(new URL(url))
    if (post === undefined && !videoHosts.test(new URL(url).hostname)) return false
    page.boundary()
    writeLink(element.attribs['title']?.trim() || (post === undefined ? 'Embedded media' : 'Embedded post'), post ?? watchUrl(url), page)
    page.boundary()
    return false
  },
}

/** The watch page of an embedded video: more useful to a reader than the player's address. */
function watchUrl(url: string): string {
  const { hostname, pathname } = new URL(url)
  const id = /^\/embed\/([\w-]{11})$/.exec(pathname)?.[1]
  if (id && /youtube/.test(hostname)) return `https://www.youtube.com/watch?v=${id}`
  const vimeo = hostname === 'player.vimeo.com' ? /^\/video\/(\d+)$/.exec(pathname)?.[1] : undefined
  return vimeo ? `https://vimeo.com/${vimeo}` : url
}

function media(kind: string): Handler {
  return {
    enter(element, page) {
      const url = mediaSource(element, page)
      if (url === null) return false
      page.boundary()
      writeLink(element.attribs['title']?.trim() || element.attribs['aria-label']?.trim() || kind, url, page)
      page.boundary()
      return false
    },
  }
}

function mediaSource(element: Element, page: Page): string | null {
  const own = resolve(element.attribs['src'] || element.attribs['data-src'] || 'about:blank', page.options.baseUrl)
  if (own !== null) return own
  for (const child of element.children) {
    const source = isElement(child) && child.name === 'source' ? child.attribs['src'] : undefined
    if (source) return resolve(source, page.options.baseUrl)
  }
  return null
}

/** The watch page of the video that an element of AMP names. */
function video(watch: string): Handler {
  return {
    enter(element, page) {
      const id = element.attribs['data-videoid'] ?? ''
      if (!/^[\w-]{1,40}$/.test(id)) return true
      page.boundary()
      writeLink(element.attribs['title']?.trim() || 'Embedded media', watch + id, page)
      page.boundary()
      return false
    },
  }
}

const levels = 4

/** Whether a heading is inside, at most `left` levels down. */
function holdsHeading(element: Element, left = levels): boolean {
  return left > 0 && element.children.some((child) => isElement(child) && (headingTags.has(child.name) || holdsHeading(child, left - 1)))
}

/** Longest label of a button, in characters. */
const mostLetters = 250

/** Matches labels of buttons in headings that are an action, and no part of the heading. */
const tool = /^(?:copy|share|edit|save|print|link|expand|collapse|show|hide|toggle|close|follow|subscribe|listen|bookmark|report|download)\b/i
/** How many levels above a button its heading may be. */
const mostBoxes = 4

function isTool(button: Element, text: string, page: Page): boolean {
  if (!tool.test(text)) return false
  let up = button.parent
  for (let boxes = 0; boxes < mostBoxes && up !== null && isElement(up) && !headingTags.has(up.name); boxes++) up = up.parent
  return up !== null && isElement(up) && /\p{L}{2}/u.test(textOf(up, page.skip, mostLetters).replace(text, ''))
}

/** How many nodes of a button are inspected. */
const mostNodes = 100

/** Whether the label of a button consists of several texts, without a picture. */
function holdsBlocks(button: Element, page: Page): boolean {
  let [blocks, pictures, nodes] = [0, 0, 0]
  walk(button, (node) => {
    if (page.skip.has(node)) return 'over'
    if (isElement(node) && node.name === 'img') pictures++
    if (isElement(node) && (node.name === 'div' || node.name === 'p')) blocks++
    return ++nodes > mostNodes ? 'stop' : 'into'
  })
  return blocks > 1 && pictures === 0
}

/**
 * Buttons are omitted, unless the label is content, the button expands content, or it is or holds a heading. Pictures
 * inside a button that is written as text are icons, and omitted.
 */
const button: Handler = {
  enter(element, page) {
    const text = textOf(element, page.skip, mostLetters + 50)
    if (text.length > mostLetters) return false
    if (page.mode === 'heading' || holdsHeading(element)) return page.mode !== 'heading' || !isTool(element, text, page)
    const opens = element.attribs['role'] !== 'tab' && ('aria-expanded' in element.attribs || 'aria-controls' in element.attribs)
    const isContent = tells(element)
    if (isContent || opens) page.boundary()
    if (!isContent) return opens
    if (holdsBlocks(element, page)) return true
    page.text(operationApart(text))
    page.boundary()
    return false
  },
  leave(_, page) {
    if (page.mode !== 'heading') page.boundary()
  },
}

/** Handlers of embedded media and form controls. */
export const mediaHandlers: Readonly<Record<string, Handler>> = {
  iframe: frame,
  embed: frame,
  video: media('Video'),
  audio: media('Audio'),
  'amp-iframe': frame,
  'amp-video': media('Video'),
  'amp-audio': media('Audio'),
  'amp-youtube': video('https://www.youtube.com/watch?v='),
  'amp-vimeo': video('https://vimeo.com/'),
  button,
}
