import { remembered } from '../../lib/remembered.ts'
import { headingTags } from '../html/tag-sets.ts'
import { attribute, type Element, isElement, textOf } from '../html/tree.ts'

/** The words of a class or id name: `entry-content` and `entryContent` are entry, content. */
function wordsOf(name: string): readonly string[] {
  return name
    .slice(0, 600)
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
}

function set(line: string): ReadonlySet<string> {
  return new Set(line.split(/\s+/))
}

/** Words that name page furniture anywhere in a class or id. */
const furnitureWords = set(
  `footer breadcrumb breadcrumbs crumbs sidebar sidenav navbar navigation topbar toolbar masthead megamenu submenu offcanvas
  newsletter subscribe subscription signup signin login register paywall
  share sharing sharer shares socials sharethis addthis addtoany sharedaddy pinterest
  related recommended recommendation recommendations trending promo promos promoted sponsor sponsored sponsors
  popup modal lightbox overlay flyout drawer tooltip dialog snackbar toast cookie cookies gdpr consent
  byline authorbox copyright colophon disqus livefyre commentform respond
  pagination pager paging skip skiplink screenreader outbrain taboola advertisement advert ads
  toc catlinks titlebox printfooter helplink signature actions privacy recent account totals announcement feedback bio disclaimer
  printonly peek recs facets filters sortby minicart wishlist quickview nextprev prevnext
  navbox qrcode navheader navfooter navsettop navsetbottom tocset chlinktop chlinkbot chlinkprevnexttop chlinkprevnextbot`,
)

/** Pairs of adjacent words that name page furniture, although neither word does. */
const furniturePairs = set(
  `see-also read-next more-posts more-articles more-stories more-news up-next also-like most-read most-popular most-viewed
  popular-posts recent-posts latest-posts latest-news recent-articles similar-posts similar-articles similar-products
  post-meta entry-meta article-meta post-metadata entry-metadata post-info author-bio author-box author-info author-card about-author author-profile post-author entry-author
  post-footer entry-footer article-footer post-nav post-navigation posts-navigation nav-links prev-next next-prev post-tags entry-tags tag-list
  tag-cloud tags-links cat-links social-links social-icons social-media social-share share-buttons share-links email-signup mailing-list
  to-top scroll-top scroll-to site-header site-footer main-menu main-nav top-menu top-nav nav-menu menu-item menu-main
  mobile-menu side-bar right-rail left-rail right-col right-column rail-right widget-area secondary-nav table-of-contents
  add-to cart-drawer mini-cart comment-form comment-respond leave-reply reply-form sr-only screen-reader visually-hidden language-switcher
  lang-switcher portlet-lang p-lang site-search search-form search-box cross-sell up-sell upsell-products related-products recently-viewed related-posts user-extras userinfo-extra
  reading-time read-time published-date post-date entry-date edit-link edit-page page-actions vote-up did-you was-this helpful-form feedback-form
  review-form write-review product-recommendations card-widget license-box site-sub doc-info page-id header-categories`,
)

/** Words that name readers' comments, which are content on forums only. */
const commentWords = set('comment comments commentlist commentarea discussion')

/** Words and pairs that name content; an element with one of them is never furniture by name alone. */
const contentPairs = set(
  `article-body articlebody article-content article-text post-content post-body post-text entry-content entry-body story-body story-content
  body-content body-copy page-content main-content content-main content-body content-area blog-content blog-post single-content news-content
  rich-text richtext text-content markdown-body article-main article-wrapper text-body wysiwyg`,
)

/** What the names of an element say that it is. */
export const nameKind = { plain: 0, furniture: 1, comments: 2, content: 3 } as const

export type NameKind = (typeof nameKind)[keyof typeof nameKind]

const maxNames = 600

/** Classes that describe the page or its state, not the element. */
const aboutPage = /^(?:(?:tag|category|cat|has|is|no|not|with|without|js|type|status|format|wp|theme|hentry|hover|focus|group|lg|md|sm|xl|xs|max|min)[-_:]|page-(?:id|template|parent|child|type|\d)|page[_:])/i

/** Classes of Docusaurus for places that links lead to, which tell what bar they must not be hidden behind; and of TypeDoc for what the comments and signatures of code say. */
const ofManual = /^(?:anchor(?:Target|With)|tsd-(?:comment|signature|kind))/

const kindOf = remembered((names): NameKind => {
  let kind: NameKind = nameKind.plain
  for (const name of names.split(/\s+/)) {
    if (name === '' || aboutPage.test(name) || ofManual.test(name)) continue
    const words = wordsOf(name)
    for (let i = 0; i < words.length; i++) {
      const word = words[i] ?? ''
      const pair = `${word}-${words[i + 1] ?? ''}`
      if (contentPairs.has(pair) || word === 'articlebody') return nameKind.content
      if (furnitureWords.has(word) || furniturePairs.has(pair)) kind = nameKind.furniture
      else if (commentWords.has(word) && kind === nameKind.plain) kind = nameKind.comments
    }
  }
  return kind
})

/** The `NameKind` of each element, by class and id. */
export function nameKindsOf(elements: readonly Element[]): Uint8Array {
  const kinds = new Uint8Array(elements.length)
  for (let i = 0; i < kinds.length; i++) {
    const element = elements[i]
    if (element) kinds[i] = nameKindOf(element)
  }
  return kinds
}

/** Elements whose names come from their text: `anchorWithStickyNavbar`, or a term with the id `flask.Flask.register`. */
const speaking: ReadonlySet<string> = new Set(['h2', 'h3', 'h4', 'h5', 'h6', 'dt'])

/** The signature of a function, in its heading as JSDoc writes it, or by its name as Javadoc and mkdocstrings do; that of a forum stands below a post. */
const ofFunction = /(?:^|[\s_-])signature/i
const ofMember = /(?:^|\s)(?:doc|member|method|function|type|multi-line)-signature(?:\s|$)/
const isOfFunction = ({ parent }: Element, names: string): boolean => ofFunction.test(names) && (ofMember.test(names) || [parent, parent?.parent ?? null].some((up) => up !== null && isElement(up) && headingTags.has(up.name)))

/** Longest heading that is compared with an id. */
const longest = 200

/** The number of a section before the words of its heading. */
const numbering = /^(?:\d+-)+/

/** Whether the id of a section is made from the words of its heading, and so says nothing of the page. */
function saysHeading({ name, children }: Element, id: string): boolean {
  if (name !== 'section' && name !== 'div') return false
  const heading = children.find((child): child is Element => isElement(child) && child.name !== 'span')
  if (heading === undefined || !headingTags.has(heading.name)) return false
  const words = textOf(heading, longest, longest).toLowerCase().match(/[\p{L}\p{N}]+/gu)?.join('-')
  return words === id.toLowerCase() || words?.replace(numbering, '') === id.toLowerCase()
}

/** Whether an element is a part of a heading of a section, where its id is an anchor made from the words of the heading. */
const isInHeading = ({ parent }: Element): boolean => parent !== null && isElement(parent) && speaking.has(parent.name)

function nameKindOf(element: Element): NameKind {
  if (speaking.has(element.name)) return nameKind.plain
  const named = attribute(element, 'id')
  const id = named !== undefined && (isInHeading(element) || saysHeading(element, named)) ? undefined : named
  const classes = attribute(element, 'class')
  if (id === undefined && classes === undefined) return nameKind.plain
  const names = id === undefined ? (classes ?? '') : `${classes ?? ''} ${id}`
  const kind = kindOf(names.length > maxNames ? names.slice(0, maxNames) : names)
  if (kind === nameKind.furniture && isOfFunction(element, names.slice(0, maxNames))) return nameKind.plain
  // A table cell with such a name holds a remark.
  return kind === nameKind.comments && element.name === 'td' ? nameKind.plain : kind
}
