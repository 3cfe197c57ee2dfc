import { isNonContent } from '../html/non-content.ts'
import { attribute, type ChildNode, type Document, named, oneLine, textOf } from '../html/tree.ts'
import { canonicalOf } from '../html/address.ts'
import { markedUp } from './attributes.ts'
import type { Entity } from './entity.ts'
import { jsonLd } from './json-ld.ts'
import { type Layout, layoutOf } from './layout.ts'
import { metaFacts } from './meta.ts'
import { embeddedState } from './state.ts'

/** Everything that a page says in a form that needs no interpretation. */
export interface Facts {
  /** From JSON-LD, microdata, RDFa and embedded state, best source first. */
  readonly entities: readonly Entity[]
  readonly meta: Entity
  readonly layout: Layout
  /** The text of the `title` element. */
  readonly title: string
  readonly url: string
  readonly canonical: string | null
  readonly language: string | null
}

/** The page to read. */
export interface FactsOf {
  readonly document: Document
  /** The heads of subtrees that a person does not see. */
  readonly unseen: ReadonlySet<ChildNode>
  readonly url: string
  readonly base: string
}

/** Reads the facts of a page. Never throws; linear in the size of the page. */
export function factsOf({ document, unseen, url, base }: FactsOf): Facts {
  const { entity: meta, labels } = metaFacts(document)
  const layout = layoutOf(document, unseen, (element) => !isNonContent(element))
  const title = named(document, 'title')[0]
  const html = named(document, 'html')[0]
  const [heading] = layout.headings
  return {
    entities: [...jsonLd(document), ...markedUp(document, base), ...(heading === undefined ? [] : embeddedState(document, heading))],
    meta,
    layout: { ...layout, labels: [...layout.labels, ...labels] },
    title: title === undefined ? '' : oneLine(textOf(title, 1_000)),
    url,
    canonical: canonicalOf(document, base) ?? null,
    language: (html && attribute(html, 'lang')?.trim()) || null,
  }
}
