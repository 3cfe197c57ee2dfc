/** The mark of a link to the heading that it stands behind. */
const permalink = /\s*[¶#§🔗]\s*$/u
/** What parts the names of a page and of its site. */
const separators = /[\s|–—:·•»>/-]+$/
/** Fewest characters of a name that a heading only contains. */
const aName = 4

/** A heading without the mark of a link to itself, in small letters. */
export const headingLine = (line: string): string => line.replace(permalink, '').toLowerCase()

/** Whether a heading names the site: the title of the page ends with it, and says before that what a later heading says. */
export function namesSite(title: string, heading: string, later: string): boolean {
  if (heading === '' || later === '' || !title.endsWith(heading)) return false
  const name = title.slice(0, -heading.length).replace(separators, '')
  return name !== '' && (name.startsWith(later) || (name.length >= aName && later.includes(name)))
}
