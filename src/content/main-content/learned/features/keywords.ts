import { remembered } from '../../../../lib/remembered.ts'
import { attribute, type Element, noAttributes } from '../../../html/tree.ts'

/** Parts of class, id, role and item names that say what an element is for; one line per meaning. */
const meanings = [
  'nav', 'menu', 'foot', 'comment|disqus', 'meta|info', 'tag|categor|topic', 'banner|hero|masthead', 'pagin|pager|next|prev',
  'modal|popup|overlay|dialog|drawer|tooltip|offcanvas', 'button|btn|cta|action', 'form|input|field', 'content', 'article|post', 'entry|story', 'body|text|copy|prose|rich|markdown', 'main|primary',
  'product', 'review|rating|star', 'spec|detail|feature|attribute|propert', 'collection|catalog|shop|store', 'card|tile|item', 'list|grid', 'quote|testimonial', 'caption|figure|credit',
  'image|img|gallery|photo|media|slide|carousel|swiper', 'table', 'faq|accordion|tab|collaps|toggle', 'team|service|benefit|solution', 'copyright|legal|terms|privacy|disclaimer|policy', 'hidden|sr-only|screen-reader|visually|print|skip', 'section|block|module', 'wrap|contain|layout|page',
] as const

/** The number of meanings; the meanings of an element are the bits of one number. */
export const meaningCount = meanings.length

const wordsOf = new Map<string, number>()
meanings.forEach((line, i) => line.split('|').forEach((word) => wordsOf.set(word, i)))
const anyWord = new RegExp([...wordsOf.keys()].sort((a, b) => b.length - a.length).join('|'), 'g')

/** Characters of the names that are read. */
const maxLength = 200

const meaningsIn = remembered((names): number => {
  let found = 0
  for (const [word] of names.toLowerCase().matchAll(anyWord)) found |= 1 << (wordsOf.get(word) ?? 0)
  return found
})

/** The meanings in the names of an element, one bit each. */
export function meaningsOf(element: Element): number {
  if (element.attribs === noAttributes) return 0
  const classes = attribute(element, 'class')
  const id = attribute(element, 'id')
  const role = attribute(element, 'role')
  const item = attribute(element, 'itemprop')
  if (classes === undefined && id === undefined && role === undefined && item === undefined) return 0
  const all = id === undefined && role === undefined && item === undefined ? (classes ?? '') : `${classes ?? ''} ${id ?? ''} ${role ?? ''} ${item ?? ''}`
  return meaningsIn(all.length > maxLength ? all.slice(0, maxLength) : all)
}
