import type { Outline } from '../outline.ts'

/** The share of a page's letters that is in links, and most letters in paragraphs, if the page is a list of links. */
const linkShare = 0.6
const mostProse = 60
/** Links with at most this many letters lead to sections of the site, not to what a page lists. */
const label = 12
/** Fewest entries of a list. */
const fewestEntries = 2

/** Whether a page says hardly anything but in links: an archive, an index, a directory. */
export function isLinkPage({ all, linked, prose }: { readonly all: number; readonly linked: number; readonly prose: number }): boolean {
  return linked > all * linkShare && prose < mostProse
}

/** The same outline, with links that are longer than a label counted as text. */
export function withTitles(o: Outline): Outline {
  const linkText = o.linkText.slice()
  for (let i = 0; i < linkText.length; i++) {
    const title = o.text[i] ?? 0
    if (o.elements[i]?.name !== 'a' || title <= label) continue
    for (let at = i; at >= 0; at = o.parent[at] ?? -1) linkText[at] = (linkText[at] ?? 0) - title
  }
  return { ...o, linkText }
}

/** Whether an element lists entries by their titles. */
export function listsEntries(o: Outline, root: number): boolean {
  let entries = 0
  for (let i = root; i < (o.end[root] ?? 0) && entries < fewestEntries; i++) if (o.elements[i]?.name === 'a' && (o.text[i] ?? 0) > label) entries++
  return entries >= fewestEntries
}
