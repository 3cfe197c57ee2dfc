import { detached } from '../../../lib/detached.ts'
import { attribute, type Element } from '../../tree.ts'

/** Parts of class, id, role and item names that say what an element is for, one line a meaning. */
const meanings = [
  'nav', 'menu', 'crumb', 'foot', 'head', 'sidebar|sidenav|sidecol', 'aside|rail|secondary', 'widget', 'share|social|follow', 'related|similar', 'recommend|also|suggest|upsell|cross-sell',
  'popular|trending|latest|recent', 'comment|disqus', 'reply|respond', 'author|byline|bio|avatar', 'meta|info', 'date|time|publish', 'tag|categor|topic', 'advert|sponsor|promo|outbrain|taboola', 'banner|hero|masthead',
  'newsletter|subscri|signup|sign-up', 'login|account|user|profile|member', 'search', 'filter|facet|sort|refine', 'pagin|pager|next|prev', 'cookie|consent|gdpr', 'modal|popup|overlay|dialog|drawer|tooltip|offcanvas', 'button|btn|cta|action',
  'form|input|field', 'content', 'article|post', 'entry|story', 'body|text|copy|prose|rich|markdown', 'main|primary', 'desc|summary|excerpt|intro|lead', 'title|headline', 'product', 'price|amount|discount', 'review|rating|star',
  'spec|detail|feature|attribute|propert', 'cart|basket|checkout|wishlist|compare', 'collection|catalog|shop|store', 'card|tile|item', 'list|grid', 'result', 'thread|message|discussion|conversation', 'forum|answer|question|vote|score', 'quote|testimonial',
  'signature|badge|rank|stat', 'caption|figure|credit', 'image|img|gallery|photo|media|slide|carousel|swiper', 'video|player|audio', 'table', 'code|highlight|syntax', 'toc|contents|outline', 'faq|accordion|tab|collaps|toggle', 'team|service|benefit|solution',
  'logo|brand|partner|client', 'contact|address|location|map|phone', 'copyright|legal|terms|privacy|disclaimer|policy', 'hidden|sr-only|screen-reader|visually|print|skip', 'lang|country|currency|locale', 'section|block|module', 'wrap|contain|layout|page',
] as const

/** How many meanings there are; those of an element fit in two numbers of 32 bits. */
export const meaningCount = meanings.length

/** Bits of the meanings 0 to 31, and of the others. */
export interface Meaning {
  readonly low: number
  readonly high: number
}

const wordsOf = new Map<string, number>()
meanings.forEach((line, i) => line.split('|').forEach((word) => wordsOf.set(word, i)))
const anyWord = new RegExp([...wordsOf.keys()].sort((a, b) => b.length - a.length).join('|'), 'g')

const none: Meaning = { low: 0, high: 0 }
const remembered = new Map<string, Meaning>()
/** With the length of what is remembered, some megabytes at most. */
const maxRemembered = 10_000
const maxLength = 200

function meaningIn(names: string): Meaning {
  let low = 0
  let high = 0
  for (const [word] of names.toLowerCase().matchAll(anyWord)) {
    const i = wordsOf.get(word) ?? 0
    if (i < 32) low |= 1 << i
    else high |= 1 << (i - 32)
  }
  return { low, high }
}

/** What the names of an element say. */
export function meaningOf(element: Element): Meaning {
  const classes = attribute(element, 'class')
  const id = attribute(element, 'id')
  const role = attribute(element, 'role')
  const item = attribute(element, 'itemprop')
  if (classes === undefined && id === undefined && role === undefined && item === undefined) return none
  const all = id === undefined && role === undefined && item === undefined ? (classes ?? '') : `${classes ?? ''} ${id ?? ''} ${role ?? ''} ${item ?? ''}`
  const names = all.length > maxLength ? all.slice(0, maxLength) : all
  const known = remembered.get(names)
  if (known !== undefined) return known
  const found = meaningIn(names)
  if (remembered.size >= maxRemembered) remembered.clear()
  remembered.set(detached(names), found)
  return found
}
