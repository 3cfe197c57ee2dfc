import type { Page } from '../../clean/step.ts'
import { isCodeArea } from '../../code-area.ts'
import { headingTags } from '../../html/tag-sets.ts'
import { tells } from '../../telling-buttons.ts'
import { attribute, classOf, type Element, isElement, type ParentNode, walkElements } from '../../html/tree.ts'
import { isAbove } from '../../leads-up.ts'
import { isChecklist, isTaskBox } from './checklist.ts'
import { isListingForm, listsRecords } from './listing-form.ts'
import { isContents, isManual } from '../kinds/manual.ts'
import { isOfMember } from './members.ts'
import { isNavigation } from './navigation.ts'
import { nameKind } from '../names.ts'
import { holdsComments, listsFiles } from './named-otherwise.ts'
import { isNote, isNoteTitle, isQuoted } from './notes.ts'
import type { Outline } from '../outline.ts'
import { isParameterForm } from './parameter-form.ts'

const furnitureRoles: ReadonlySet<string> = new Set(['navigation', 'banner', 'contentinfo', 'complementary', 'search', 'dialog', 'alertdialog', 'menu', 'menubar', 'toolbar', 'tooltip', 'alert'])
const controls: ReadonlySet<string> = new Set(['button', 'select', 'option', 'textarea', 'datalist', 'fieldset', 'nav', 'dialog', 'cart-drawer', 'input', 'progress', 'meter', 'menu'])

/** What is known about the whole page while its elements are judged. */
export interface Setting {
  readonly page: Page
  readonly outline: Outline
  /** The `NameKind` of each element of the outline. */
  readonly kinds: Uint8Array
  /** Letters on the page outside links. */
  readonly total: number
  /** Letters on the page. */
  readonly all: number
  readonly forum: boolean
  /** The first `h1`, as an index into the outline; -1 for none. */
  readonly title: number
  /**
   * On a short page, the range of the outline that its `main` element covers; `end` is exclusive. Undefined on longer
   * pages, where shares of the text are the better sign.
   */
  readonly main: readonly [from: number, end: number] | undefined
  /** Whether this is a short page that says hardly anything but in links. */
  readonly linkPage: boolean
}

/**
 * Marks page furniture by element, role and name, but nothing that holds much of the page's text. Returns the number of
 * marked subtrees.
 */
export function markFurniture(setting: Setting): number {
  const { outline: o, page } = setting
  const keep = new Set(page.wanted)
  let count = 0
  for (let i = 0; i < o.elements.length; i++) {
    const element = o.elements[i]
    if (!element || keep.has(element) || !isFurniture(setting, i, element)) continue
    page.removed.add(element)
    count++
    i = (o.end[i] ?? i + 1) - 1
  }
  return count
}

function isFurniture(setting: Setting, i: number, element: Element): boolean {
  const { name } = element
  if (name === 'html' || name === 'body' || name === 'main' || name === 'pre' || name === 'code') return false
  if (isBesideMain(setting, i, element)) return true
  const share = shareOf(setting, i)
  if (isCodeArea(element) || (name === 'input' && isTaskBox(element)) || (name === 'button' && (isHeading(element.parent) || holdsHeading(element) || tells(element)))) return false
  if ((name === 'form' || name === 'fieldset') && (isChecklist(element) || isListingForm(element))) return false
  if (controls.has(name)) return share < 0.4
  if (name === 'label') return isOfField(setting, i, element)
  if (name === 'header') return isPageHeader(setting, i, share) && !(setting.main !== undefined && holds(element, 'h1'))
  if (name === 'footer') return share < 0.3 && !isInside(setting, i, ['blockquote'])
  if (name === 'aside') return share < (setting.linkPage ? 0.6 : 0.4) && !isNote(setting.outline, i, element) && !isQuoted(element)
  if (name === 'form') return share < 0.3 && (setting.outline.proseText[i] ?? 0) < 120 && !holds(element, 'h1') && !isParameterForm(element) && asks(element)
  if (attribute(element, 'itemprop') === 'author') return share < 0.1 && !isOfContribution(element)
  const role = attribute(element, 'role') ?? ''
  if (furnitureRoles.has(role) && !(role === 'alert' && !setting.forum && isBelowTitle(setting, i))) return share < 0.3
  return isNamedFurniture(setting, i, share)
}

/** What readers write, in microdata. */
const contribution = /schema\.org\/(?:(?:User|Critic)?Review|Comment|Answer)\/?$/

/** Whether an author is the one of a review or a comment, which says nothing without: that of a page is in its metadata. */
function isOfContribution(element: Element): boolean {
  for (let up = element.parent; up !== null && isElement(up); up = up.parent) if (attribute(up, 'itemscope') !== undefined) return contribution.test(attribute(up, 'itemtype') ?? '')
  return false
}

/** How many elements from a label on its field may stand, and fields that say nothing without it, nor it without them. */
const nearLabel = 8
const fields: ReadonlySet<string> = new Set(['select', 'textarea', 'input'])

/** Whether a label only names a field, which is furniture. That of a box to be ticked says what is ticked. */
function isOfField({ outline: o }: Setting, i: number, label: Element): boolean {
  const id = attribute(label, 'for')
  if (id === undefined || id === '') return false
  for (let at = i + 1; at <= i + nearLabel; at++) {
    const element = o.elements[at]
    if (element === undefined || attribute(element, 'id') !== id) continue
    return fields.has(element.name) && !/^(?:checkbox|radio)$/i.test(attribute(element, 'type') ?? '')
  }
  return false
}

/** A `main` element with fewer letters was probably left empty. */
export const leastMain = 20
const besideMain: ReadonlySet<string> = new Set(['header', 'nav', 'footer'])

/**
 * Whether an element stands outside `main` on a short page: there it is furniture even if it holds most of the text, but
 * not if the heading of the page is there only.
 */
function isBesideMain(setting: Setting, i: number, element: Element): boolean {
  const { main, outline: o } = setting
  if (main === undefined || (i >= main[0] && i < main[1])) return false
  if (element.name === 'aside') return isTitledMain(setting)
  if (!besideMain.has(element.name)) return false
  const inMain = o.elements[main[0]]
  return !holds(element, 'h1') || (inMain !== undefined && holds(inMain, 'h1'))
}

/**
 * Whether the `main` element of a short page has the heading of the page, and some text beside it: then it is the content,
 * however little it says.
 */
export function isTitledMain({ outline: o, main, title }: Setting): boolean {
  return main !== undefined && title > main[0] && title < main[1] && (o.text[main[0]] ?? 0) - (o.text[title] ?? 0) >= leastMain
}

/** Whether a form has a field or a button that is shown: one without is only a box around a text (the old Reddit). */
function asks(form: Element): boolean {
  let found = false
  walkElements(form, (inner) => {
    found ||= (fields.has(inner.name) || inner.name === 'button') && attribute(inner, 'type')?.toLowerCase() !== 'hidden'
    return found ? false : undefined
  })
  return found
}

function holds(element: Element, name: string): boolean {
  let found = false
  walkElements(element, (inner) => {
    found ||= inner.name === name
    return found ? false : undefined
  })
  return found
}

/** Whether an element is a heading: a button in a heading expands its section, so it is content. */
const isHeading = (element: ParentNode | null): boolean => element !== null && isElement(element) && headingTags.has(element.name)

/** Elements of a button that are looked at. */
const mostElements = 50

/** Whether a heading stands in an element, among the first of those that do. */
function holdsHeading(element: Element): boolean {
  let found = false
  let seen = 0
  walkElements(element, (inner) => {
    found ||= headingTags.has(inner.name)
    return found || ++seen > mostElements ? false : undefined
  })
  return found
}

/** Boxes around a note that may hold the title of the page, too. */
const boxesAroundTitle = 6

/** Whether an element stands below the title of the page, in a part of it that holds both: a note that the page shows there. */
function isBelowTitle({ outline: o, title }: Setting, i: number): boolean {
  if (title < 0 || title > i) return false
  let at = o.parent[i] ?? -1
  for (let boxes = 1; boxes < boxesAroundTitle && at > title; boxes++) at = o.parent[at] ?? -1
  return at >= 0 && at < title && o.elements[at]?.name !== 'body'
}

/** Names of the end of a box in the content. */
const boxFooter = /(?:^|[\s_-])(?:box|card|panel)-footer(?:$|[\s_-])/i
const bioName = /(?:^|[\s_-])bio(?:$|[\s_-])/i

function isNamedFurniture(setting: Setting, i: number, share: number): boolean {
  const element = setting.outline.elements[i]
  if (element === undefined || element.name === 'h1' || element.name === 'article' || isOpeningPicture(setting, i)) return false
  const kind = setting.kinds[i]
  // Highlighters name comments in code, too.
  if (kind === nameKind.plain || isInside(setting, i, ['pre', 'code']) || isAllOfCell(setting, i)) return false
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
  return (boxFooter.test(names) && listsFiles(o, i)) || (bioName.test(names) && isOfMember(o, i)) || (/toc/i.test(names) && isContents(element, page.url))
}

/** Whether an element named as a comment is a remark on the words before it, such as the name of a file, and none of a reader. */
function isRemark({ outline: o }: Setting, i: number): boolean {
  const element = o.elements[i]
  if (element?.name !== 'span' || o.links[i] !== 0 || !/(?:^|\s)comment(?:\s|$)/.test(attribute(element, 'class') ?? '')) return false
  return (o.before[i] ?? 0) > (o.before[o.parent[i] ?? -1] ?? Number.POSITIVE_INFINITY)
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
  return /(?:^|[\s_-])steps?[\s_-]/i.test(`${attribute(element, 'class') ?? ''} ${attribute(element, 'id') ?? ''} `.slice(0, 300)) && holds(element, 'ol')
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

/** The element's share of the page's letters, with or without links, whichever is smaller. */
function shareOf({ outline: o, total, all }: Setting, i: number): number {
  const text = o.text[i] ?? 0
  return Math.min((text - (o.linkText[i] ?? 0)) / Math.max(total, 1), text / Math.max(all, 1))
}

/** Names of a list of the site's own posts, most of which stand aside. */
const recentName = /recent|latest/i
/** Boxes around a post that may have such a name. */
const boxesOfList = 4

const namesOf = (element: Element | undefined): string => (element === undefined ? '' : `${attribute(element, 'class') ?? ''} ${attribute(element, 'id') ?? ''}`.slice(0, 300))

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

function isInside({ outline: o }: Setting, i: number, tags: readonly string[]): boolean {
  for (let at = o.parent[i] ?? -1; at >= 0; at = o.parent[at] ?? -1) {
    if (tags.includes(o.elements[at]?.name ?? '')) return true
  }
  return false
}

function isPageHeader(setting: Setting, i: number, share: number): boolean {
  if (share > 0.3) return false
  return !isInside(setting, i, ['main', 'article', 'section']) || isOfSite(setting, i)
}

/** Most elements of a header of a site. */
const mostOfHeader = 200

/** Whether a header in the content is that of the site: it begins with a link to a folder above the page, and has no heading of the first rank. */
function isOfSite({ outline: o, page }: Setting, i: number): boolean {
  const end = o.end[i] ?? i + 1
  if (end - i > mostOfHeader) return false
  const inside = o.elements.slice(i + 1, end)
  const link = inside.find(({ name }, at) => name === 'a' && (o.text[i + 1 + at] ?? 0) > 0)
  return link !== undefined && isAbove(link, page.url) && !inside.some(({ name }) => name === 'h1')
}
