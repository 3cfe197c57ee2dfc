import { type Block, blocksOf, linked, readable, withLinksAs } from './blocks.ts'

/** Headings of sections after the content. */
const closing = /^(?:related (?:articles?|posts?|stories|content|reading|topics|products)|you (?:may|might) (?:also|like).*|recommended(?: for you| reading| articles)?|more (?:from|stories|articles|like this|on this).*|read (?:more|next|also)|further stories|(?:\d+ )?(?:comments?|replies)(?: \(\d+\))?|leave a (?:comment|reply)|post a comment|join the (?:conversation|discussion)|share (?:this|on|article|post).*|newsletter|(?:sign up|subscribe).{0,60}|about the author|popular (?:posts|articles)|trending(?: now)?|latest (?:posts|articles|news)|most (?:read|popular)|advertisement|sponsored(?: content)?|cookie (?:policy|settings|notice)|das könnte sie auch interessieren|ähnliche (?:artikel|beiträge)|kommentare?|articles? (?:similaires|liés)|commentaires?)$/i
/** What sites ask of readers before or after a text: leave to store cookies, an address for a newsletter. */
export const consent = /\b(?:we(?: and our partners)? use cookies|uses? cookies|accept (?:all )?cookies|cookie (?:preferences|settings)|manage (?:your )?(?:cookies|consent)|by continuing to (?:use|browse)|wir verwenden cookies|nous utilisons des cookies)\b/i
export const signUp = /\b(?:subscribe|sign up|join)\b.{0,60}\b(?:newsletter|mailing list|inbox|email updates|weekly|daily)\b|\bget (?:the )?(?:latest|our) .{0,40}\b(?:inbox|newsletter|email)\b|\benter your e-?mail\b/i
const advert = /^(?:advertisement|advert|ads?|sponsored|promoted|anzeige|publicité|werbung|skip to (?:main )?content|back to top|loading\.*|print(?: this)?(?: page)?|share|tweet|pin it|copy link|follow us)$/i
const networks = /^(?:share(?: on| this| via)?|tweet|facebook|twitter|x|linkedin|pinterest|reddit|whatsapp|telegram|email|e-mail|copy link|print|instagram|youtube|tiktok|mastodon|bluesky|threads|messenger|flipboard|pocket|tumblr|vk|xing|[,|·•/\s])+$/i
/** Longest breadcrumb trail; more names are a sentence with slashes. */
const mostNames = 9

/** Longest label or row of labels, and longest notice, in characters. */
const mostLabel = 2_000
const mostNotice = 400

const linkShare = (text: string): number => linked(text).reduce((sum, { label }) => sum + label.length, 0) / Math.max(1, readable(text).length)

/** Stands for a link among the names of a breadcrumb trail. */
const link = '\ue000'

/**
 * Whether a text is a breadcrumb trail: links and short names with arrows or slashes between them ("Home › Shop › Lamps").
 */
function isTrail(text: string): boolean {
  const names = withLinksAs(text, (label) => (label.length <= 60 ? link : label)).split(/[›»>/→]/, mostNames + 1).map((name) => name.trim())
  const last = names.at(-1) ?? ''
  const isName = (name: string): boolean => name === link || (name !== '' && !name.includes(link) && !/[|\n]/.test(name))
  return names.length > 1 && names.length <= mostNames && names.every(isName) && names.every((name) => name.length <= 60 || (name === last && name.length <= 120))
}

/** Whether a block is boilerplate, regardless of the blocks around it. */
function isBoilerplate(block: Block): boolean {
  if (block.kind === 'code' || block.kind === 'table' || block.kind === 'image' || block.kind === 'rule') return false
  const text = readable(block.text)
  // A longer text is no label, and the patterns would take too long on it.
  if (text.length > mostLabel) return false
  if (advert.test(text) || networks.test(text)) return true
  if (text.length > mostNotice || block.kind === 'heading') return false
  if (consent.test(text) || (signUp.test(text) && text.length <= 250)) return true
  return block.kind === 'text' && linkShare(block.text) > 0.3 && isTrail(block.text)
}

/** The index of the block that ends the content: the first heading of boilerplate that is followed only by boilerplate. */
function endOf(blocks: readonly Block[]): number {
  const total = blocks.reduce((sum, { text }) => sum + text.length, 0)
  let before = 0
  for (const [at, block] of blocks.entries()) {
    const heading = block.kind === 'heading' || (block.kind === 'text' && /^\*\*[^*\n]+\*\*:?$/.test(block.text.trim()))
    // A heading in the first half is followed by most of the page: no page has that much boilerplate.
    if (heading && block.text.length <= mostLabel && before > total * 0.5 && closing.test(readable(block.text).replace(/[:\s]+$/, '')) && restIsFurniture(blocks.slice(at + 1))) return at
    before += block.text.length
  }
  return blocks.length
}

/** Whether blocks are only lists of links and short lines, without running text, code or tables. */
function restIsFurniture(rest: readonly Block[]): boolean {
  const running = rest.filter((block) => block.kind === 'code' || block.kind === 'table' || (block.kind === 'text' && linkShare(block.text) < 0.3 && readable(block.text).length > 500))
  return running.length === 0
}

/** The indices of the blocks of a markdown text that rules take for boilerplate. */
export function boilerplateOf(blocks: readonly Block[]): ReadonlySet<number> {
  const end = endOf(blocks)
  return new Set(blocks.flatMap((block, at) => (at >= end || isBoilerplate(block) ? [at] : [])))
}

/** A markdown text without some of its blocks; all others stay as they are. */
export function withoutBlocks(markdown: string, blocks: readonly Block[], gone: ReadonlySet<number>): string {
  if (gone.size === 0) return markdown
  return `${blocks.filter((_, at) => !gone.has(at)).map(({ text }) => text).join('\n\n')}\n`
}

/** A markdown text without the boilerplate that rules know (contract §15.5). */
export function cleaned(markdown: string): string {
  const blocks = blocksOf(markdown)
  const gone = boilerplateOf(blocks)
  return gone.size === blocks.length ? markdown : withoutBlocks(markdown, blocks, gone)
}
