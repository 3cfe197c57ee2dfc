import { holds } from '../../html/find.ts'
import { attribute, classOf, type Element, namesOf } from '../../html/tree.ts'
import { isContents, isManual } from '../kinds/manual.ts'
import { nameKind } from '../names.ts'
import { isNumberedPost } from '../kinds/numbered-posts.ts'
import { isInSentence, isUnit } from '../in-sentence.ts'
import { isCellOfData } from '../learned/restore/records/data-table.ts'
import type { Outline } from '../outline.ts'
import type { Setting } from '../setting.ts'
import { listsRecords } from './listing-form.ts'
import { isOfMember } from './members.ts'
import { holdsComments, listsFiles } from './named-otherwise.ts'
import { isNavigation } from './navigation.ts'
import { isNoteTitle } from './notes.ts'
import { isInside } from './is-inside.ts'

/** Names of the end of a box in the content. */
const boxFooter = /(?:^|[\s_-])(?:box|card|panel)-footer(?:$|[\s_-])/i
const bioName = /(?:^|[\s_-])bio(?:$|[\s_-])/i

/** Names of the date of an entry, and elements before and behind it among which that of another one is. */
const dateName = /(?:^|[\s_-])(?:post|entry|published)[_-]?date(?:$|[\s_-])/i
const near = 60

const cells: ReadonlySet<string> = new Set(['tr', 'td', 'th'])
/** Elements that are words of a sentence, and names of what opens over it. */
const words: ReadonlySet<string> = new Set(['span', 'a', 'em', 'strong', 'i', 'b', 'q', 'cite', 'abbr', 'mark', 'dfn'])
const opening = /tool-?tip|pop-?(?:up|over)|modal|overlay|fly-?out|drawer|toast|sr-only|screen-?reader|visually/i

/** Whether an element is furniture by its class or id; `share` is its share of the page's letters. */
export function isNamedFurniture(setting: Setting, i: number, share: number): boolean {
  const element = setting.outline.elements[i]
  if (element === undefined || element.name === 'h1' || element.name === 'article' || isOpeningPicture(setting, i)) return false
  const kind = setting.kinds[i]
  // Highlighters name comments in code, too.
  if (kind === nameKind.plain || isInside(setting, i, ['pre', 'code']) || isAllOfCell(setting, i) || (cells.has(element.name) && isCellOfData(setting.outline, i))) return false
  if (words.has(element.name) && (opening.test(namesOf(element)) ? isUnit(element) : isInSentence(element))) return false
  if (kind === nameKind.furniture) return (share < 0.3 || isNavigation(setting, i)) && !isContentNevertheless(setting, i, element)
  if (kind === nameKind.comments) return !setting.forum && !isManual(element) && share < 0.6 && !isRemark(setting, i)
  return false
}

/** Whether an element named as furniture is content nevertheless. */
function isContentNevertheless(setting: Setting, i: number, element: Element): boolean {
  const { outline: o, kinds, page } = setting
  if (isListing(setting, i) || isGuide(setting, i) || isOfRecentPosts(setting, i) || isDish(setting, i) || isNoteTitle(element)) return true
  if (setting.forum && holdsComments(o, i, kinds)) return true
  const names = namesOf(element)
  if (setting.short && ((dateName.test(names) && isRepeated(o, i)) || (setting.forum && saysWhoPosted(o, i)))) return true
  return (boxFooter.test(names) && listsFiles(o, i)) || (bioName.test(names) && isOfMember(o, i)) || (/toc/i.test(names) && isContents(element, page.url))
}

/** Whether another element near one has the same class: each of several entries has its date. */
function isRepeated({ elements }: Outline, i: number): boolean {
  const alike = elements.slice(Math.max(0, i - near), i + near).filter((other) => namesOf(other) === namesOf(elements[i]))
  return alike.length > 1
}

/** Whether an element named as a comment is a remark on the words before it, such as the name of a file, and none of a reader. */
function isRemark({ outline: o }: Setting, i: number): boolean {
  const element = o.elements[i]
  if (element?.name !== 'span' || o.links[i] !== 0 || !/(?:^|\s)comment(?:\s|$)/.test(attribute(element, 'class') ?? '')) return false
  return (o.before[i] ?? 0) > (o.before[o.parent[i] ?? -1] ?? Number.POSITIVE_INFINITY)
}

/** Whether an element is a part of a post and says when or by whom it was written. */
function saysWhoPosted({ elements, end, parent }: Outline, i: number): boolean {
  const around = elements[parent[i] ?? -1]
  return around !== undefined && isNumberedPost(around) && elements.slice(i + 1, end[i]).some((inner) => inner.name === 'time' || attribute(inner, 'itemprop') === 'author')
}

/** Whether an element named as furniture, such as a pager, is a part of a form and lists the records of it. */
function isListing(setting: Setting, i: number): boolean {
  const element = setting.outline.elements[i]
  return element !== undefined && isInside(setting, i, ['form']) && listsRecords(element)
}

/** Whether an element named as a list of steps explains them: one that leads elsewhere is made of links. */
function isGuide({ outline: o }: Setting, i: number): boolean {
  const element = o.elements[i]
  if (element === undefined || (o.proseText[i] ?? 0) === 0 || (o.linkText[i] ?? 0) * 2 > (o.text[i] ?? 0)) return false
  return /(?:^|[\s_-])steps?[\s_-]/i.test(`${namesOf(element)} `) && holds(element, 'ol')
}

/** Whether an element named as an item of a menu is not one to navigate by, which is a link, but what a kitchen serves. */
function isDish({ outline: o }: Setting, i: number): boolean {
  return (o.linkText[i] ?? 0) * 2 <= (o.text[i] ?? 0) && /(?:^|[\s_-])menu-?items?(?:$|[\s_-])/i.test(namesOf(o.elements[i]))
}

/** Whether an element is a picture that opens when it is clicked. */
function isOpeningPicture({ outline: o }: Setting, i: number): boolean {
  const element = o.elements[i]
  if (element === undefined || (o.images[i] ?? 0) !== 1 || (element.name !== 'a' && element.name !== 'div')) return false
  return /(?:^|\s)(?:lightbox|lightbox-wrapper)(?:\s|$)/.test(classOf(element))
}

/** Whether an element is all that a cell of a table says: a value that is shown as a mark. */
function isAllOfCell({ outline: o }: Setting, i: number): boolean {
  const up = o.parent[i] ?? -1
  const name = o.elements[up]?.name
  return (name === 'td' || name === 'th') && o.elements[i]?.name === 'span' && o.text[up] === o.text[i]
}

/** Names of a list of the site's own posts, most of which stand aside. */
const recentName = /recent|latest/i
/** Boxes around a post that may have such a name. */
const boxesOfList = 4

/** Whether an element named like recent posts is a part of such a list that holds much of the page: that of a home page is its content. */
function isOfRecentPosts({ outline: o, kinds }: Setting, i: number): boolean {
  if (!recentName.test(namesOf(o.elements[i]))) return false
  let at = o.parent[i] ?? -1
  for (let boxes = 0; boxes < boxesOfList && at >= 0; boxes++) {
    // It is not left out, or its parts would not be asked.
    if (kinds[at] === nameKind.furniture && recentName.test(namesOf(o.elements[at]))) return true
    at = o.parent[at] ?? -1
  }
  return false
}
