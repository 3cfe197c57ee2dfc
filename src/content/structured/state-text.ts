import { states } from '../facts/state.ts'
import { asHtml, heading } from './things.ts'
import type { Document } from '../html/tree.ts'

/** Keys whose texts are not the page's content: controls, settings, legal texts. */
const foreign = /i18n|transl|locale|messages|labels|dictionar|config|setting|footer|menu|legal|terms|privacy|cookie|consent|analytic|seo|metadata|query|theme|style|css/i
const titles = ['title', 'headline', 'name'] as const
const maxVisited = 50_000
const maxText = 500_000
const leastLetters = 120

/** Whether a text is prose, as HTML or plain; not code, data or addresses. */
function isProse(text: string): boolean {
  if (text.length < leastLetters || text.length > maxText || /^\s*(?:[{[]|https?:|data:)/.test(text)) return false
  const bare = text.slice(0, 5_000).replace(/<[^<>]*>/g, ' ')
  const letters = bare.replace(/[^\p{L}]+/gu, '').length
  return letters >= leastLetters * 0.7 && letters > bare.length * 0.6 && /[\p{L}\p{N}][.!?。！？]['"”’)]*(?:\s|$)/u.test(bare)
}

/**
 * The texts that a page holds as the state of its scripts (`__NEXT_DATA__` and the like) and will show once these run, as
 * HTML, in document order, each once, under the title beside it. A guess: nothing in the state says what is visible.
 */
export function stateText(document: Document): readonly string[] {
  const found = new Set<string>()
  const named = new Set<string>()
  const parts: string[] = []
  const waiting: unknown[] = [...states(document)].reverse()
  let room = maxText
  for (let seen = 0, value = waiting.pop(); seen < maxVisited && room > 0 && (value !== undefined || waiting.length > 0); value = waiting.pop(), seen++) {
    if (typeof value !== 'object' || value === null) continue
    const own = Object.entries(value).filter(([key]) => !foreign.test(key))
    const texts = own.flatMap(([, inner]) => (typeof inner === 'string' && !found.has(inner) && isProse(inner) ? [inner] : []))
    if (texts.length > 0) {
      const title = own.find(([key, inner]) => titles.some((name) => name === key) && typeof inner === 'string' && inner.length <= 200)?.[1]
      if (typeof title === 'string' && !named.has(title)) parts.push(heading(title, named.size === 0 ? 1 : 2))
      if (typeof title === 'string') named.add(title)
    }
    for (const text of texts) {
      found.add(text)
      parts.push(asHtml(text))
      room -= text.length
    }
    for (let i = own.length - 1; i >= 0; i--) if (typeof own[i]?.[1] === 'object') waiting.push(own[i]?.[1])
  }
  return parts
}
