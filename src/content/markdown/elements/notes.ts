import type { Handler } from '../page.ts'

/** The definition of a footnote, whatever element it is. */
export const noteHandler: Handler = {
  enter(element, page) {
    page.boundary()
    const label = page.notes.definitions.get(element)
    if (page.mode === 'block' && label !== undefined) page.lines.open('note', `[^${label}]: `, '    ')
    return true
  },
  leave(_, page) {
    page.boundary()
    if (page.mode === 'block') page.lines.close()
  },
}
