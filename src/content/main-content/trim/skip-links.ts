import { attribute, type Element, oneLine, textOf, walkElements } from '../../html/tree.ts'
import type { Page } from '../../clean/step.ts'

/** How many links from the top of a page are inspected: skip links come first. */
const firstLinks = 6
/** Most letters and nodes of a link that are read. */
const longest = 60
const mostNodes = 20
const leads = /^(?:(?:skip|jump)(?: \w+)? to (?:(?:the|main|page|primary|body|site) )*(?:content|main|navigation|menu|article|body|text|search|footer)\b|skip (?:nav|menu|link)|(?:direkt |springe )?zum (?:haupt)?inhalt|(?:aller|passer|accéder)(?: \w+)? au contenu|(?:saltar|ir|pasar)(?: \w+)? al contenido|(?:ir|pular|saltar) para o conte|(?:vai|salta) al contenuto|(?:ga |spring )?naar (?:de )?(?:hoofd)?inhoud|hoppa till|gå til|hop til|siirry |przejdź do |přejít |перейти (?:к|до)|本文へ|コンテンツへ|跳(?:转到|至|到)|본문)/iu

/** Whether a link leads to a place on its own page. */
function isWithin(element: Element, address: string): boolean {
  const href = attribute(element, 'href') ?? ''
  const at = href.indexOf('#')
  return at === 0 || (at > 0 && href.slice(0, at) === address)
}

/**
 * Marks the skip links at the start of a page (WCAG 2.4.1), and returns their number: once the navigation is removed, there
 * is nothing to skip.
 */
export function markSkipLinks(page: Page): number {
  let links = 0
  let count = 0
  walkElements(page.document, (element) => {
    if (links >= firstLinks || page.removed.has(element)) return false
    if (element.name !== 'a') return undefined
    links++
    const line = oneLine(textOf(element, longest * 2, mostNodes)).slice(0, longest)
    if (!leads.test(line) || !isWithin(element, page.url)) return false
    page.removed.add(element)
    count++
    return false
  })
  return count
}
