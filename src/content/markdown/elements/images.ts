import type { Element } from 'domhandler'
import { imageSource, isPlaceholder } from '../../images.ts'
import { classesOf } from '../dom.ts'
import { collapse } from '../inline-run.ts'
import { destination, title } from '../inline-render.ts'
import type { Handler, Page } from '../page.ts'
import { urlOf } from '../../../lib/url-of.ts'

const placeholderUrl = '<Base64-Image-Removed>'
const texImage = /[\\^_{}]|\\[a-z]+/

const image: Handler = {
  enter(element, page) {
    if (page.skip.has(element)) return false
    const said = saidBy(element)
    if (said !== '') {
      page.text(said)
      return false
    }
    const tex = texOf(element, collapse(element.attribs['alt'] ?? '').trim())
    if (tex !== '') {
      page.formula(tex, / (?:mwe-math-fallback-image-display|display) /.test(classesOf(element)))
      return false
    }
    const markdown = imageMarkdown(element, page)
    if (markdown === '') return false
    if (page.sharesLink) page.rawUnlinked(markdown)
    else page.raw(markdown)
    return false
  },
}

function imageMarkdown(element: Element, page: Page): string {
  if (isTracker(element)) return ''
  const alt = collapse(element.attribs['alt'] ?? '').trim()
  const source = sourceOf(element, page.options.baseUrl)
  if (source === '') return ''
  const isData = source.startsWith('data:')
  if (isData && isTinyData(source) && alt === '') return ''
  const url = isData && page.options.removeBase64Images ? placeholderUrl : destination(source)
  return `![${escapeAlt(alt)}](${url}${title(element.attribs['title'] ?? '')})`
}

/** The text that a picture of an emoji stands for; empty for any other picture. */
function saidBy(element: Element): string {
  const alt = (element.attribs['alt'] ?? '').trim()
  return alt.length <= 40 && / (?:emoji|emoticon|wp-smiley|smiley|twemoji) /.test(classesOf(element)) ? alt : ''
}

/** An alternative text is read as inline markdown, of which the text remains. */
function escapeAlt(alt: string): string {
  return alt.replace(/[\\`*_[\]<]|&(?=#|\w+;)/g, '\\$&')
}

function isTracker(element: Element): boolean {
  const { width, height, alt = '' } = element.attribs
  // One side of nothing makes a spacer: it holds other things apart.
  if (alt === '' && (/^[01](?:px)?$/.test(width ?? '') || /^[01](?:px)?$/.test(height ?? ''))) return true
  return /^[01](?:px)?$/.test(width ?? '') && /^[01](?:px)?$/.test(height ?? '')
}

/** The best address of an image; empty where it has none but a place on the page. */
function sourceOf(element: Element, baseUrl: string): string {
  const url = absolute(imageSource(element), baseUrl)
  return url.startsWith('data:') || !isPlaceholder(url) ? url : ''
}

/** Data so short that it can only be a blank or blurred stand-in. */
function isTinyData(url: string): boolean {
  return url.length < 200
}

function absolute(value: string | undefined, baseUrl: string): string {
  const trimmed = value?.trim() ?? ''
  // A place on the page is no picture: a script puts one there.
  if (trimmed === '' || trimmed.startsWith('#')) return ''
  if (/^data:/i.test(trimmed)) return /^data:image\//i.test(trimmed) ? trimmed : ''
  const url = urlOf(trimmed, baseUrl)
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : ''
}

/** The formula that an image shows, from its alternative text; empty for a picture. */
function texOf(element: Element, alt: string): string {
  if (alt === '' || alt.length > 5000) return ''
  const src = element.attribs['src'] ?? ''
  const says = /latex|codecogs|\/math\/|mathtex|mimetex|texvc/i.test(src.slice(0, 300)) || / (?:latex|tex|math|texvc|mwe-math-fallback-image-(?:inline|display)) /.test(classesOf(element))
  const looks = /\\(?:frac|sum|int|sqrt|begin|left|right|operatorname|mathbb|mathrm|mathcal|alpha|beta|lambda|theta|exp|log|cdot|times|to|in)\b/.test(alt)
  if (!looks && !(says && texImage.test(alt))) return ''
  return alt.replace(/\$/g, '')
}

/** Images. */
export const imageHandlers: Readonly<Record<string, Handler>> = { img: image }
