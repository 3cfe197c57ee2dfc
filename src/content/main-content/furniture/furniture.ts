import { isCodeArea } from '../../code-area.ts'
import { around, holds } from '../../html/find.ts'
import { headingTags } from '../../html/tag-sets.ts'
import { tells } from '../../telling-buttons.ts'
import { attribute, type Element, isElement, type ParentNode, walkElements } from '../../html/tree.ts'
import { isAbove } from '../../leads-up.ts'
import { leastMain, type Setting } from '../setting.ts'
import { isChecklist, isTaskBox } from './checklist.ts'
import { isListingForm } from './listing-form.ts'
import { isNamedFurniture } from './named.ts'
import { isNote, isQuoted } from './notes.ts'
import { opensPage } from './opening.ts'
import { isParameterForm } from './parameter-form.ts'
import { isInside } from './is-inside.ts'

const furnitureRoles: ReadonlySet<string> = new Set(['navigation', 'banner', 'contentinfo', 'complementary', 'search', 'dialog', 'alertdialog', 'menu', 'menubar', 'toolbar', 'tooltip', 'alert'])
const controls: ReadonlySet<string> = new Set(['button', 'select', 'option', 'textarea', 'datalist', 'fieldset', 'nav', 'dialog', 'cart-drawer', 'input', 'progress', 'meter', 'menu'])

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
  if (setting.short && opensPage(setting, i, element)) return false
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
const contribution = /schema\.org\/(?:(?:User|Critic)?Review|Comment|Answer|DiscussionForumPosting)\/?$/

/** Whether an author is the one of a review or a comment, which says nothing without: that of a page is in its metadata. */
function isOfContribution(element: Element): boolean {
  const thing = around(element, (up) => attribute(up, 'itemscope') !== undefined)
  return thing !== undefined && contribution.test(attribute(thing, 'itemtype') ?? '')
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

const besideMain: ReadonlySet<string> = new Set(['header', 'nav', 'footer', 'banner', 'navigation', 'contentinfo'])

/**
 * Whether an element stands outside `main` on a short page: there it is furniture even if it holds most of the text, but
 * not if the heading of the page is there only.
 */
function isBesideMain(setting: Setting, i: number, element: Element): boolean {
  const { main, isHeaded } = setting
  if (main === undefined || (i >= main[0] && i < main[1])) return false
  if (element.name === 'aside') return isTitledMain(setting)
  if (!besideMain.has(element.name) && !besideMain.has(attribute(element, 'role') ?? '')) return false
  return isHeaded || !holds(element, 'h1')
}

/**
 * Whether the `main` element of a short page has the heading of the page, and some text beside it: then it is the content,
 * however little it says.
 */
export function isTitledMain({ outline: o, main, title }: Setting): boolean {
  return main !== undefined && title > main[0] && title < main[1] && (o.text[main[0]] ?? 0) - (o.text[title] ?? 0) >= leastMain
}

/** Whether a form has a field or a button that is shown: one without is only a box around a text (the old Reddit). */
const asks = (form: Element): boolean => holds(form, (inner) => (fields.has(inner.name) || inner.name === 'button') && attribute(inner, 'type')?.toLowerCase() !== 'hidden')

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

/** The element's share of the page's letters, with or without links, whichever is smaller. */
function shareOf({ outline: o, total, all }: Setting, i: number): number {
  const text = o.text[i] ?? 0
  return Math.min((text - (o.linkText[i] ?? 0)) / Math.max(total, 1), text / Math.max(all, 1))
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
