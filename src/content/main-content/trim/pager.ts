import { type Element, isElement, oneLine, textOf } from '../../html/tree.ts'

/** Most items of a pager, and most letters of one. */
const mostItems = 20
const longest = 40
/** What an item says: the number of a page, which is no year, with words for those who hear it, or where to turn. */
const number = /^(?:(?:you['’]re (?:currently )?(?:reading|on) )?page )?\d{1,3}$/i
const turn = /^(?:page )?(?:page|next|prev(?:ious)?|first|last|[«»‹›<>←→.…]+)?(?: page)?$/i

/** Whether a list only turns the pages of another one: each item is the number of a page or leads to the next, and some are links. */
export function isPager({ children }: Element): boolean {
  if (children.length > mostItems * 2) return false
  let numbers = 0
  let links = 0
  for (const item of children) {
    if (!isElement(item)) continue
    const line = oneLine(textOf(item, longest + 1, longest))
    if (number.test(line)) numbers++
    else if (!turn.test(line)) return false
    if (item.children.some((child) => isElement(child) && child.name === 'a')) links++
  }
  return numbers > 0 && links > 0 && numbers + links > 2
}
