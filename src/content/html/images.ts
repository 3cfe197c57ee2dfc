import { absolute, isDataAddress, largest, sourceSet } from './address.ts'
import { attribute, type Document, type Element, isElement, walkElements } from './tree.ts'

/** Attributes in which lazy loading keeps the real address, most common first: `src` may be a small preview. */
const lazySources = ['data-src', 'data-original', 'data-lazy-src', 'data-original-src', 'data-actualsrc', 'data-echo', 'data-ll-src'] as const
/**
 * Attributes that have other meanings on some pages (a link target, a larger version): used only for images without any
 * other address.
 */
const otherSources = ['data-lazy', 'data-url', 'data-hi-res-src', 'data-full-src', 'data-image', 'data-large-file'] as const
/** Like `lazySources`, for `srcset`. */
const lazySourceSets = ['data-srcset', 'data-lazy-srcset', 'data-original-set'] as const

const imageMeta: ReadonlySet<string> = new Set(['og:image', 'og:image:url', 'og:image:secure_url', 'twitter:image', 'twitter:image:src'])

/**
 * The address of an image as written: the lazily loaded one, otherwise `src`, otherwise the best candidate of `srcset` and
 * similar attributes when `src` is a placeholder.
 */
export function imageSource(element: Element): string | undefined {
  const src = attribute(element, 'src')?.trim()
  const real = src && !isPlaceholder(src) ? src : undefined
  return firstOf(element, lazySources) ?? bestOf(element, lazySourceSets) ?? real ?? firstOf(element, otherSources) ?? bestOf(element, ['srcset']) ?? inSources(element) ?? src
}

function firstOf(element: Element, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = attribute(element, name)?.trim()
    if (value !== undefined && looksLikeAddress(value)) return value
  }
  return undefined
}

function bestOf(element: Element, names: readonly string[]): string | undefined {
  for (const name of names) {
    const set = attribute(element, name)
    const best = set === undefined ? undefined : largest(sourceSet(set).filter(({ url }) => !isPlaceholder(url) && !isTemplate(url)))?.url
    if (best !== undefined) return best
  }
  return undefined
}

/** The best address among the sources of an image's `picture`. */
function inSources(element: Element): string | undefined {
  if (!inPicture(element)) return undefined
  const sources = (element.parent?.children ?? []).slice(0, maxSources).filter(isElement).filter(({ name }) => name === 'source')
  const sets = sources.flatMap((source) => ['srcset', 'data-srcset'].flatMap((name) => sourceSet(attribute(source, name) ?? '')))
  return largest(sets.filter(({ url }) => !isPlaceholder(url)))?.url
}

/** How many children of a `picture` are inspected for each of its images. */
const maxSources = 64

/** Whether an address has variables that a script would fill in (`lamp_{width}x.jpg`). */
const isTemplate = (value: string): boolean => /[{}]|%7b/i.test(value)

function looksLikeAddress(value: string): boolean {
  return !value.startsWith('[') && !isTemplate(value) && !isDataAddress(value) && /[./]/.test(value)
}

/**
 * Words that only occur in names of placeholders, and words that count only alone, because picture names may begin with
 * them (`loading-dock.jpg`).
 */
const placeholderName = /(?:^|[/_.-])(?:(?:placeholder|lazy-?load(?:ing)?|spacer|1x1)[^/]{0,20}|(?:blank|pixel|transparent|clear|loading|gr[ea]y)[-_.]?\d*)\.(?:gif|png|svg|jpe?g|webp)(?:$|\?)/i

/** Whether an image address is a placeholder of lazy loading. */
export function isPlaceholder(src: string): boolean {
  if (isDataAddress(src)) return src.length < 1500
  if (src.startsWith('#')) return true
  return placeholderName.test(src.slice(-200))
}

/**
 * The absolute addresses of the page's images (the best candidate of `img`, `picture`, posters, the social preview), each
 * once, in document order.
 */
export function images(document: Document, base: string): readonly string[] {
  const found = new Set<string>()
  const add = (reference: string | undefined): void => {
    const url = reference && !reference.startsWith('#') && absolute(reference, base)
    if (url) found.add(url)
  }
  walkElements(document, (node) => {
    if (node.name === 'template') return false
    collect(node, add)
  })
  return [...found]
}

function collect(element: Element, add: (reference: string | undefined) => void): void {
  if (element.name === 'img' || element.name === 'amp-img' || element.name === 'amp-anim') addImage(element, add)
  else if (element.name === 'source' && inPicture(element)) for (const name of ['srcset', 'data-srcset']) addSet(attribute(element, name), add)
  else if (element.name === 'video') add(attribute(element, 'poster'))
  else if (element.name === 'input' && attribute(element, 'type')?.toLowerCase() === 'image') add(attribute(element, 'src'))
  else if (element.name === 'image') add(attribute(element, 'href') ?? attribute(element, 'xlink:href'))
  else if (element.name === 'meta') {
    const name = (attribute(element, 'property') ?? attribute(element, 'name') ?? '').toLowerCase()
    if (imageMeta.has(name)) add(attribute(element, 'content'))
  }
}

function addImage(element: Element, add: (reference: string | undefined) => void): void {
  add(imageSource(element))
  for (const name of ['srcset', ...lazySourceSets]) add(bestOf(element, [name]))
}

function addSet(set: string | undefined, add: (reference: string | undefined) => void): void {
  if (set) add(largest(sourceSet(set).filter(({ url }) => !isPlaceholder(url)))?.url)
}

function inPicture(element: Element): boolean {
  const parent = element.parent
  return parent !== null && isElement(parent) && parent.name === 'picture'
}
