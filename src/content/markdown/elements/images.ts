import type { Element } from 'domhandler'
import { isDataAddress } from '../../html/address.ts'
import { imageSource, isPlaceholder } from '../../html/images.ts'
import { classesOf } from '../dom.ts'
import { collapse } from '../inline-run.ts'
import { destination, title } from '../inline-render.ts'
import type { Handler, Page } from '../page.ts'
import { isQuoteIcon } from './quoted.ts'
import { urlOf } from '../../../lib/url-of.ts'

const placeholderUrl = '<Base64-Image-Removed>'
const texImage = /[\\^_{}]|\\[a-z]+/
/** A formula with the signs that TeX sets around it, and the environment of one that stands alone, which markdown's own signs stand for. */
const texInSigns = /^\$[^$]+\$$/
const displayMath = /^\\begin\{(displaymath|equation\*?|math)\}(.*)\\end\{\1\}$/s

const image: Handler = {
  enter(element, page) {
    if (page.skip.has(element) || isQuoteIcon(element)) return false
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
  const isData = isDataAddress(source)
  if (isData && isTinyData(source) && alt === '') return ''
  const url = isData && page.options.removeBase64Images ? placeholderUrl : destination(source)
  return `![${escapeAlt(alt)}](${url}${title(element.attribs['title'] ?? '')})`
}

/** The text of an emoji that is shown as a picture; '' for all other pictures. */
function saidBy(element: Element): string {
  const alt = (element.attribs['alt'] ?? '').trim()
  return alt.length <= 40 && / (?:emoji|emoticon|wp-smiley|smiley|smilies?|twemoji) /.test(classesOf(element)) ? alt : ''
}

/** Markdown parses the alternative text as inline content and keeps only its text: signs are escaped. */
function escapeAlt(alt: string): string {
  return alt.replace(/[\\`*_[\]<]|&(?=#|\w+;)/g, '\\$&')
}

function isTracker(element: Element): boolean {
  const { width, height, alt = '' } = element.attribs
  // A picture one pixel wide or high and without alternative text is a spacer.
  if (alt === '' && (/^[01](?:px)?$/.test(width ?? '') || /^[01](?:px)?$/.test(height ?? ''))) return true
  return /^[01](?:px)?$/.test(width ?? '') && /^[01](?:px)?$/.test(height ?? '')
}

/** The best address of an image; '' when it has only a placeholder. */
function sourceOf(element: Element, baseUrl: string): string {
  const url = absolute(imageSource(element), baseUrl)
  return isDataAddress(url) || !isPlaceholder(url) ? url : ''
}

/** Data this short can only be a blank or blurred placeholder. */
function isTinyData(url: string): boolean {
  return url.length < 200
}

function absolute(value: string | undefined, baseUrl: string): string {
  const trimmed = value?.trim() ?? ''
  // A fragment is no picture: a script will replace it.
  if (trimmed === '' || trimmed.startsWith('#')) return ''
  if (/^data:/i.test(trimmed)) return /^data:image\//i.test(trimmed) ? trimmed : ''
  const url = urlOf(trimmed, baseUrl)
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : ''
}

/** The TeX source of a formula that is shown as an image, from its alternative text; '' for a picture. */
function texOf(element: Element, alt: string): string {
  if (alt === '' || alt.length > 5000) return ''
  const src = element.attribs['src'] ?? ''
  const says = /latex|codecogs|\/math\/|mathtex|mimetex|texvc/i.test(src.slice(0, 300)) || / (?:latex|tex|math|texvc|mwe-math-fallback-image-(?:inline|display)) /.test(classesOf(element))
  const looks = /\\(?:frac|sum|int|sqrt|begin|left|right|operatorname|mathbb|mathrm|mathcal|alpha|beta|lambda|theta|exp|log|cdot|times|to|in)\b/.test(alt)
  if (!looks && !texInSigns.test(alt) && !(says && texImage.test(alt))) return ''
  return alt.replace(/\$/g, '').replace(displayMath, '$2').trim()
}

/** Handler of images. */
export const imageHandlers: Readonly<Record<string, Handler>> = { img: image, 'amp-img': image, 'amp-anim': image }
