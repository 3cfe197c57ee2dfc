import type { Handler } from '../page.ts'

/** Writes the definition of a footnote, whichever element holds it. */
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

/** Starts the next footnote in a block that defines several. */
export const splitHandler: Handler = {
  enter(element, page) {
    const label = page.notes.splits.get(element)
    page.boundary()
    if (page.mode === 'block' && page.lines.inside === 'note' && label !== undefined) {
      page.lines.close()
      page.lines.open('note', `[^${label}]: `, '    ')
    }
    return false
  },
}
