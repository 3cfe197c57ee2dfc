import { attribute, type Element, isElement, oneLine, textOf } from '../../html/tree.ts'

/** Most items of such a list, and most letters of one. */
const mostItems = 20
const longest = 40
/** Where a page can be sent to; also behind what is done with it. */
const network = /^(?:(?:share|post|pin|send|tweet)(?: (?:this|it))?(?: (?:on|to|by|via|with))? )?(?:facebook|twitter|x|x \(twitter\)|bluesky|mastodon|threads|linkedin|pinterest|reddit|whatsapp|telegram|tumblr|messenger|e-?mail|mail|copy link|link|weibo|vk|line|pocket|flipboard|xing|print)$/i
/** What sends this page there, and does not lead to someone's own page there. */
const sends = /^(?:#|javascript:|mailto:(?:\?|$)|whatsapp:)|[/?&._-](?:share|sharer|sharing|sharearticle|intent|submit|create)\b|\bwa\.me\/\?/i

/** What items without links do that scripts make buttons of, right below the heading of the page. */
const button = /^(?:share|print|e-?mail|save)$/i

/** The pages of an archive of mail, and what stands before the links that lead from a message to others. */
const ofArchive = /^(?:msg)?\d{3,}\.html$|^(?:date|thread|subject|author)\.html#/
const toMessage = /^(?:(?:previous|next) message|messages sorted by)\b[^:]{0,20}:/i

/** Whether a list does nothing but send the page elsewhere, or lead from a message of an archive of mail to others (Pipermail). */
export function isShareList(list: Element): boolean {
  let items = 0
  const { children } = list
  if (children.length > mostItems * 2) return false
  let before = list.prev
  while (before !== null && !isElement(before)) before = before.prev
  for (const item of children) {
    if (!isElement(item)) continue
    let at: Element | undefined = item
    while (at !== undefined && at.name !== 'a') at = at.children.find(isElement)
    const href = at === undefined ? undefined : (attribute(at, 'href') ?? '#')
    const isMessage = href !== undefined && ofArchive.test(href)
    if (!isMessage && (href === undefined ? before?.name !== 'h1' : !sends.test(href))) return false
    const line = oneLine(textOf(item, longest + 1, longest))
    if (isMessage) return toMessage.test(line)
    if (!(href === undefined ? button : network).test(line)) return false
    items++
  }
  return items > 1
}
