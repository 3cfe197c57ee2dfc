import { absolute, largest, sourceSet } from './address.ts'
import { attribute, type Document, type Element, isElement, walkElements } from './tree.ts'

/** Attributes that lazy loading keeps the real address in, most common first. */
export const lazySources = ['data-src', 'data-original', 'data-lazy-src', 'data-lazy', 'data-original-src', 'data-url', 'data-hi-res-src', 'data-full-src', 'data-image', 'data-actualsrc'] as const
/** The same for `srcset`. */
export const lazySourceSets = ['data-srcset', 'data-lazy-srcset', 'data-original-set'] as const

const imageMeta: ReadonlySet<string> = new Set(['og:image', 'og:image:url', 'og:image:secure_url', 'twitter:image', 'twitter:image:src'])

/** The address of an image element as written: the lazy one where `src` is a placeholder, else the best of `srcset`, else `src`. */
export function imageSource(element: Element): string | undefined {
  const src = attribute(element, 'src')?.trim()
  const real = src && !isPlaceholder(src) ? src : undefined
  const lazy = lazySources.map((name) => attribute(element, name)?.trim()).find((value) => value && looksLikeAddress(value))
  const set = ['srcset', ...lazySourceSets].map((name) => attribute(element, name)).find((value) => value?.trim())
  const best = set === undefined ? undefined : largest(sourceSet(set).filter((c) => !isPlaceholder(c.url)))?.url
  return lazy ?? real ?? best ?? inSources(element) ?? src
}

/** What the sources of its `picture` offer an image that has no address of its own. */
function inSources(element: Element): string | undefined {
  if (!inPicture(element)) return undefined
  const sources = (element.parent?.children ?? []).filter(isElement).filter(({ name }) => name === 'source')
  const sets = sources.flatMap((source) => ['srcset', 'data-srcset'].flatMap((name) => sourceSet(attribute(source, name) ?? '')))
  return largest(sets.filter(({ url }) => !isPlaceholder(url)))?.url
}

function looksLikeAddress(value: string): boolean {
  return !/^[[{]/.test(value) && !value.startsWith('data:') && /[./]/.test(value)
}

/** Whether an image address is what lazy loading puts in place of the picture. */
export function isPlaceholder(src: string): boolean {
  if (src.startsWith('data:')) return src.length < 1500
  if (src.startsWith('#')) return true
  return /(?:^|[/_-])(?:placeholder|blank|spacer|transparent|pixel|1x1|lazy(?:load)?|loading)[^/]{0,20}\.(?:gif|png|svg|jpe?g|webp)(?:$|\?)/i.test(src.slice(-200))
}

/** Absolute addresses of the page's images (`img` with its best candidate, `picture`, posters, the social preview), each once, in document order. */
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
  if (element.name === 'img' || element.name === 'amp-img') addImage(element, add)
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
  const sets = [attribute(element, 'srcset'), ...lazySourceSets.map((name) => attribute(element, name))]
  for (const set of sets) addSet(set, add)
}

function addSet(set: string | undefined, add: (reference: string | undefined) => void): void {
  if (set) add(largest(sourceSet(set).filter(({ url }) => !isPlaceholder(url)))?.url)
}

function inPicture(element: Element): boolean {
  const parent = element.parent
  return parent !== null && isElement(parent) && parent.name === 'picture'
}
