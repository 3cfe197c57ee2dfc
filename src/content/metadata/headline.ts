import type { Entity } from '../facts/entity.ts'
import { type Element, isElement, isText, oneLine, textOf, walk } from '../html/tree.ts'
import { textIn } from './entity.ts'
import type { Scan } from './scan.ts'

const longest = 300
const separator = /\s+[|·•–—»-]\s+|\s*[|»]\s*|\s+::\s+/

const ascii = /^[\0-\x7f]*$/
const bare = (text: string): string => (ascii.test(text) ? text.toLowerCase() : text.toLowerCase().normalize('NFKC')).replace(/[^\p{L}\p{N}]+/gu, ' ').trim()

/** A title without the site's name at its end or start. */
function withoutSite(title: string, site: string | undefined): string {
  const parts = title.split(separator)
  if (parts.length < 2) return title
  const name = site === undefined ? undefined : bare(site)
  const last = bare(parts.at(-1) ?? '')
  if (name !== undefined && last === name) return title.slice(0, title.lastIndexOf(parts.at(-1) ?? '')).replace(/[\s|·•–—»:-]+$/, '')
  if (name !== undefined && bare(parts[0] ?? '') === name) return title.slice((parts[0] ?? '').length).replace(/^[\s|·•–—»:-]+/, '')
  return title
}

/** The text of permalinks, as documentation generators put them into headings. */
const permalink = /^(?:[#¶§∞⚓\s\u200b]|\u{1F517}|\ufe0e|\ufe0f)+$/u

function headingLine(element: Element): string {
  let line = ''
  walk(element, (node) => {
    if (line.length > longest || (isElement(node) && node.name === 'a' && permalink.test(textOf(node, 10, 10)))) return false
    if (isText(node)) line += node.data
    else if (isElement(node) && node.name === 'br') line += ' '
    return undefined
  })
  return oneLine(line)
}

/**
 * The page's title without the site's name: the heading when the title or the structured data agree with it, otherwise what
 * they say.
 */
export function headline(scan: Scan, articles: readonly Entity[], { title, ogTitle, site: named }: { readonly title: string | undefined; readonly ogTitle: string | undefined; readonly site: string | undefined }): string | undefined {
  const heading = scan.heading === undefined ? '' : headingLine(scan.heading.element)
  const site = named ?? (scan.ofSite && heading !== '' ? heading : undefined)
  const said = textIn(articles, 'headline') ?? textIn(articles, 'name')
  const titles = [said, ogTitle, title].filter((one) => one !== undefined && one !== '').map((one) => bare(one ?? ''))
  const own = bare(heading)
  if (!scan.ofSite && own.length > 3 && titles.some((one) => one === own || one.startsWith(`${own} `) || one.endsWith(` ${own}`) || (own.startsWith(one) && one.length > 12))) return heading
  if (said !== undefined && said.length <= longest) return withoutSite(said, site)
  if (ogTitle !== undefined) return withoutSite(ogTitle, site)
  if (title !== undefined && title !== '') return withoutSite(title, site)
  return heading === '' ? undefined : heading
}
