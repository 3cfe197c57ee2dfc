import { attribute, type Element, isElement, oneLine, textOf } from '../../html/tree.ts'

/** Most items of such a list, and most letters of one. */
const mostItems = 20
const longest = 40
/** Where a page can be sent to; also behind what is done with it. */
const network = /^(?:(?:share|post|pin|send|tweet)(?: (?:this|it))?(?: (?:on|to|by|via|with))? )?(?:facebook|twitter|x|x \(twitter\)|bluesky|mastodon|threads|linkedin|pinterest|reddit|whatsapp|telegram|tumblr|messenger|e-?mail|mail|copy link|link|weibo|vk|line|pocket|flipboard|xing|print)$/i
/** What sends this page there, and does not lead to someone's own page there. */
const sends = /^(?:#|javascript:|mailto:(?:\?|$)|whatsapp:)|[/?&._-](?:share|sharer|sharing|sharearticle|intent|submit|create)\b|\bwa\.me\/\?/i

/** Whether a list does nothing but send the page elsewhere. */
export function isShareList({ children }: Element): boolean {
  let items = 0
  if (children.length > mostItems * 2) return false
  for (const item of children) {
    if (!isElement(item)) continue
    let at: Element | undefined = item
    while (at !== undefined && at.name !== 'a') at = at.children.find(isElement)
    if (at === undefined || !sends.test(attribute(at, 'href') ?? '#') || !network.test(oneLine(textOf(item, longest + 1, longest)))) return false
    items++
  }
  return items > 1
}
