import type { References } from '../../domain/crawl/discovery.ts'
import { absolute, hrefOf, leadingNowhere } from '../html/address.ts'
import { embeddedPdf } from '../html/embedded.ts'
import { refreshReference } from './refresh.ts'
import { attribute, type Document, type Element, walkElements } from '../html/tree.ts'

const linkTags: ReadonlySet<string> = new Set(['a', 'area'])
const frameTags: ReadonlySet<string> = new Set(['frame'])

/**
 * The absolute http and https links of the whole page (`a`, `area`, frames), each once, in document order. Other schemes
 * are omitted: they lead to no page. Links within the page keep their fragment.
 */
export function links(document: Document, base: string): readonly string[] {
  return collected(document, () => undefined, (reference) => absolute(reference, base)).all
}

/**
 * The same as `links`, plus the targets of refreshes and embedded PDFs, plus what leads to no page: addresses of other
 * schemes, and invalid addresses as written.
 */
export function references(document: Document, base: string): References {
  return collected(document, (element) => refreshReference(element) ?? embeddedPdf(element), (reference) => absolute(reference, base) ?? leadingNowhere(reference, base))
}

function collected(document: Document, referenceOf: (element: Element) => string | undefined, addressOf: (reference: string) => string | undefined): References {
  /** Whether no link to the address is to be followed. */
  const found = new Map<string, boolean>()
  let some = false
  walkElements(document, (node) => {
    if (node.name === 'template') return false
    const reference = linkTags.has(node.name) ? hrefOf(node) : frameTags.has(node.name) ? attribute(node, 'src') : referenceOf(node)
    const url = reference && addressOf(reference)
    if (!url || found.get(url) === false) return
    const isUnfollowed = isNofollow(node)
    found.set(url, isUnfollowed)
    some ||= isUnfollowed
  })
  const all = [...found.keys()]
  return { all, unfollowed: some ? all.filter((url) => found.get(url)) : [] }
}

function isNofollow(link: Element): boolean {
  const rel = attribute(link, 'rel')
  return rel !== undefined && /(?:^|\s)nofollow(?:\s|$)/i.test(rel)
}
