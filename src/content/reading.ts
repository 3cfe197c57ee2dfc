import type { References } from '../domain/crawl/discovery.ts'
import type { Capture } from '../domain/pages/capture.ts'
import { header } from '../domain/pages/capture.ts'
import { textType } from '../domain/pages/file-kind.ts'
import type { Reading, ReadOptions } from '../domain/pages/reading.ts'
import type { Picture } from '../domain/search/search-index.ts'
import { inSteps } from '../lib/in-steps.ts'
import { once } from '../lib/once.ts'
import { referenceIn, soonReferenceIn } from '../lib/refresh.ts'
import { absolute } from './html/address.ts'
import { attributeValues } from './selectors/attributes.ts'
import { cleaned } from './passages/boilerplate.ts'
import { saysBusy } from './verdict/busy.ts'
import { clean } from './clean/index.ts'
import type { Page } from './clean/step.ts'
import { unseen, withoutInvisible } from './clean/unseen.ts'
import { copy } from './html/copy.ts'
import { discover } from './links/discover.ts'
import { type Facts, factsOf } from './facts/index.ts'
import { toHtml } from './html/output.ts'
import { images } from './html/images.ts'
import { picturesOf } from './indexing/pictures.ts'
import { links, references } from './links/links.ts'
import { type MarkdownOptions, toMarkdown } from './markdown/index.ts'
import { metadata } from './metadata/index.ts'
import { dataOf, isTable } from './plain/by-media-type.ts'
import { rowsLeftOut } from './plain/csv.ts'
import { feedLinks, feedMetadata } from './plain/feed.ts'
import { toPlainMarkdown } from './plain/index.ts'
import { prescan } from './prescan.ts'
import { leadsOn, refreshOf, scriptDemand } from './verdict/script-demand.ts'
import { allOf, selectFrom, wantedOf } from './selected.ts'
import { type Source, sourceOf } from './source.ts'
import { isModest } from './structured/structured-data.ts'
import { type Place, placesOf } from './template/places.ts'
import { openingOf } from './html/tree.ts'
import { mayBePreview } from './verdict/preview.ts'
import { verdict } from './verdict/verdict.ts'

/** Most levels of nesting of a small page: some steps read an element's text once per level. */
const smallDepth = 100
/** The content of a page with fewer letters may have come from other sources. */
const littleText = 250
/** Characters of content that rule out an empty shell. */
const enoughText = 400
/** A little more than what any rule about pages with little text asks for. */
const judgedText = 640

/** A reading that also estimates its own cost, and gives what the page says beyond its text. */
export interface PageReading extends Reading {
  /** The facts of the page; null when the body is not a page. */
  facts(): Facts | null
  /** The data of a body that is JSON or a table; undefined for all others. */
  data(): unknown
  /** Whether the site says that it is overloaded, in place of the page. */
  isBusy(): boolean
  /** The pictures that have a description. */
  pictures(): readonly Picture[]
  /** The markdown without text that a person would not see: safe for a language model to read. */
  seenMarkdown(): string
  /** The short visible texts and their positions; empty when the body is not a page. */
  places(): readonly Place[]
  /**
   * Whether everything can be made from the page on the calling thread (R20): checked by its text first, then by its tree.
   */
  isSmall(): boolean
  /** Makes one more step towards the content, which all that is made of it waits for; false when there was none left. */
  approach(): boolean
}

/**
 * Lazy views of a capture. Links, images, attributes and metadata come from the whole page; HTML and markdown from the part
 * that the options select. Views do not affect each other, and never throw for any body.
 */
export function read(capture: Capture, options: ReadOptions): PageReading {
  const { warnings, warn } = sentences()
  const source = sourceOf(capture, warn)
  const { text, kind, isPage, document, feed, base, signs, matcher } = source
  const page = (part: Pick<Page, 'removed' | 'wanted' | 'warn'>): Page => ({ document: document(), url: capture.url, unseen: capture.unseen && source.noted(), matcher: matcher(), ...part })
  const { step: approach, value: content } = inSteps(() => (isPage() ? selectFrom(page({ removed: new Set(), wanted: wantedOf(options, matcher(), warn), warn }), options) : allOf(document(), options, warn)))
  /** The start of the content; '' when the content is only a guess at what scripts will show. */
  const shownText = (limit: number): string => (content().guessed ? '' : openingOf(content().tree, limit))
  const judged = once(() => {
    if (!isPage()) return text().trim() === '' ? 'empty' : 'ok'
    const found = verdict(signs(), capture)
    if (found === 'ok' && mayBePreview(document(), text())) warn('The page says that it is not free to read: this may be only its beginning.')
    // The ordinary text is empty, but `noscript` or structured data held the content.
    return found === 'empty' && shownText(enoughText).length >= enoughText ? 'ok' : found
  })
  const hidden = once(() => unseen(document()))
  /** Page furniture, and everything that a person does not see. */
  const unshown = once(() => {
    const whole = page({ removed: new Set(hidden()), wanted: undefined, warn: () => undefined })
    clean(whole, { ...options, excludeTags: [], blockAds: true })
    return whole.removed
  })
  const facts = once(() => (isPage() ? factsOf({ document: document(), unseen: unshown(), url: capture.url, base: base() }) : null))
  const plain = (): string => {
    content() // Warns where there is nothing to select from.
    const made = toPlainMarkdown(text(), kind(), textType(capture), { feed, removeBase64Images: options.removeBase64Images })
    if (isTable(textType(capture))) warnOfRows(made, warn)
    return made
  }
  const markdownOptions = (): MarkdownOptions => ({ baseUrl: base(), removeBase64Images: options.removeBase64Images })
  const written = once(() => (isPage() ? toMarkdown(content().tree, markdownOptions()) : plain()))
  const seenMarkdown = once(() => {
    const { roots, removed, choices, title } = content()
    return withoutInvisible(isPage() && hidden().size > 0 ? toMarkdown(copy(roots, new Set([...removed, ...hidden()]), { choices, title }), markdownOptions()) : written())
  })
  return {
    capture,
    text,
    isSmall: () => !isTable(textType(capture)) && prescan(text()).small && (!isPage() || (isModest(document(), signs().letters < littleText) && source.depth() <= smallDepth)),
    approach,
    html: once(() => toHtml(content().tree.children, new Set(), base())),
    markdown: once(() => (options.onlyCleanContent === true ? cleaned(written()) : written())),
    facts,
    data: () => (isPage() ? undefined : dataOf(text(), kind() === 'json', textType(capture))),
    seenMarkdown,
    places: once(() => (isPage() ? placesOf(document(), unshown()) : [])),
    links: once(() => (isPage() ? links(document(), base()) : kind() === 'xml' ? feedLinks(feed()) : [])),
    references: once(() => withAnnounced(isPage() ? references(document(), base()) : { all: [], unfollowed: [] }, announced(capture, base()))),
    discovery: once(() => (isPage() ? discover(document(), base(), capture.url) : { links: [], next: [], feeds: [], canonical: null })),
    images: once(() => (isPage() ? images(document(), base()) : [])),
    pictures: once(() => (isPage() ? picturesOf(document(), base()) : [])),
    attributes: (queries) => attributesOf(source, queries, warn),
    metadata: once(() => (isPage() ? metadata(document(), { url: capture.url, base: base() }) : kind() === 'xml' ? feedMetadata(feed()) : {})),
    removals: () => content().removals,
    verdict: judged,
    isBusy: once(() => isPage() && judged() === 'ok' && saysBusy(signs(), capture)),
    embedded: once(() => (isPage() && judged() === 'empty' ? (absolute(signs().embedded, base()) ?? null) : null)),
    leadsOn: once(() => leadsOn((isPage() ? refreshOf(signs()) : '') || (soonReferenceIn(header(capture, 'refresh')) ?? ''), { url: capture.url, base: base(), content: () => (isPage() ? shownText(judgedText) : text()).trim().length })),
    scriptDemand: once(() => (isPage() ? scriptDemand(document(), signs(), judged(), shownText(judgedText)) : null)),
    confidence: () => content().confidence,
    warnings: () => warnings,
  }
}

/** Sentences for the caller, each once. */
function sentences(): { readonly warnings: readonly string[]; readonly warn: (sentence: string) => void } {
  const warnings: string[] = []
  return { warnings, warn: (sentence) => void (warnings.includes(sentence) || warnings.push(sentence)) }
}

function warnOfRows(markdown: string, warn: (sentence: string) => void): void {
  const left = rowsLeftOut(markdown)
  if (left > 0) warn(`The table is longer than is returned as markdown; its last ${left} rows are missing.`)
}

function attributesOf({ isPage, matcher }: Source, queries: Parameters<Reading['attributes']>[0], warn: (sentence: string) => void): ReturnType<Reading['attributes']> {
  if (!isPage()) warn('attributes: none, as the address leads to a file without elements.')
  return attributeValues(matcher(), queries)
}

/** The references of a page, after those of its header. */
function withAnnounced({ all, unfollowed }: References, first: readonly string[]): References {
  return first.length === 0 ? { all, unfollowed } : { all: [...new Set([...first, ...all])], unfollowed }
}

/** Where the header `Refresh` leads. */
function announced(capture: Capture, base: string): readonly string[] {
  return [absolute(referenceIn(header(capture, 'refresh')) ?? '', base) ?? []].flat()
}
