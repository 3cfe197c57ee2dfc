import { type Element, isElement, oneLine, textOf } from '../../html/tree.ts'
import { holds } from '../../html/find.ts'

/** Most items of a pager, and most letters of one. */
const mostItems = 20
const longest = 40
/** What an item says: the number of a page, which is no year, with words for those who hear it, or where to turn. */
const number = /^(?:(?:you['’]re (?:currently )?(?:reading|on) )?page )?(\d{1,3})$/i
const turn = /^(?:page )?(?:next|prev(?:ious)?|first|last|[«»‹›<>←→]+)(?: page)?$/i
/** What stands for pages that are left out, or says what the numbers are. */
const filler = /^(?:page|[.…]+)$/i

/**
 * Whether a list only turns the pages of another one. Numbers alone may be chapters, sizes or lines of buses: a link says that
 * it turns, or only the page that is shown is not linked and all are in a row from the first.
 */
export function isPager({ children }: Element): boolean {
  if (children.length > mostItems * 2) return false
  let [numbers, links, turns, unlinked] = [0, 0, 0, 0]
  let inRow = true
  for (const item of children) {
    if (!isElement(item)) continue
    const line = oneLine(textOf(item, longest + 1, longest))
    const said = number.exec(line)
    const turning = said === null && turn.test(line)
    // An item without a text holds a picture.
    if (said === null && !turning && !filler.test(line)) return false
    const isLink = holds(item, 'a')
    if (isLink) links++
    if (turning && isLink) turns++
    if (said === null) continue
    numbers++
    inRow &&= Number(said[1]) === numbers
    if (!isLink) unlinked++
  }
  return numbers > 0 && links > 0 && numbers + links > 2 && (turns > 0 || (unlinked === 1 && inRow))
}
