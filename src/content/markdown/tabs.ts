import type { AnyNode, ChildNode, Element } from 'domhandler'
import { isElement, isText } from '../html/tree.ts'
import { firstText, textOf, walk, walkAll } from './dom.ts'

/** Classes of tab lists: Bootstrap, Material for MkDocs, VitePress, Hexo. */
const listClass = /(?:^|\s)(?:nav-tabs|tabbed-labels|tabs)(?:\s|$)/
/** Classes of tab panels, and of boxes whose children are panels. */
const panelClass = /(?:^|\s)tab-pane(?:\s|$)/
const panelsClass = /(?:^|\s)(?:tabbed-content|tab-contents|blocks)(?:\s|$)/
const maxTabs = 24
/** Longest name of a tab, in characters. */
const maxName = 60
/** Child elements of a tab that are inspected for the panel they open. */
const maxOpeners = 4
/** How many boxes up from a list of tabs its panels are searched. */
const maxBoxes = 3
/** Nodes of a list, and after it, that are searched for tabs and panels. */
const maxNodes = 2000
/** Limit of the text that is read of a panel to see whether it has any. */
const maxLetters = 500
/** Nodes of a panel among which its first text is looked for. */
const maxBegin = 100

/** Whether an element is a list of tabs (WAI-ARIA 1.2, `tablist`). */
export function isTabList({ attribs }: Element): boolean {
  return attribs['role'] === 'tablist' || listClass.test(attribs['class'] ?? '')
}

/** A list of tabs, and the panels after it. */
interface Tabs {
  readonly tabs: readonly Element[]
  readonly panels: readonly Element[]
  readonly skip: ReadonlySet<AnyNode>
}

/**
 * The name of each panel of a list of tabs. A panel belongs to the tab that names it or that it names, otherwise by
 * position. Undefined unless there are at least two tabs, each with a name and a panel with text after the list. Inspects a
 * bounded part of the page.
 */
export function panelNames(list: Element, skip: ReadonlySet<AnyNode>): ReadonlyMap<Element, string> | undefined {
  const found = tabsWith(list, skip)
  if (found === undefined || found.panels.length < found.tabs.length) return undefined
  const names = namesIn(found)
  return names.size === found.tabs.length ? names : undefined
}

/**
 * The same of a list of tabs whose other panels are empty or missing until a visitor opens them: the names of those that
 * have text, and say to which of the buttons they belong, or the one that the list says is open. Other lists of tabs are
 * written as lists.
 */
export function openPanelNames(list: Element, skip: ReadonlySet<AnyNode>): ReadonlyMap<Element, string> {
  const found = tabsWith(list, skip)
  if (found === undefined) return new Map()
  if (found.tabs.some(({ name }) => name !== 'button')) return openName(found)
  return namesIn({ ...found, panels: found.panels.filter((panel) => found.tabs.some((tab) => opens(tab, panel))) })
}

/** The name of the only panel that has text, where one tab is open and none is a link. */
function openName({ tabs, panels, skip }: Tabs): ReadonlyMap<Element, string> {
  const open = tabs.filter(({ attribs }) => attribs['aria-selected'] === 'true')
  const full = open.length === 1 ? panels.filter((panel) => firstText(panel, skip) !== '') : []
  return full.length === 1 && !openersOf(tabs).flat().some(({ name }) => name === 'a') ? namesIn({ tabs: open, panels: full, skip }) : new Map()
}

function tabsWith(list: Element, skip: ReadonlySet<AnyNode>): Tabs | undefined {
  const tabs = tabsIn(list)
  if (tabs.length < 2 || tabs.length > maxTabs) return undefined
  return { tabs, panels: panelsBehind(list, new Set(openersOf(tabs).flat().flatMap(targetOf)), skip), skip }
}

/** Each tab, with what is in it that may open its panel. */
const openersOf = (tabs: readonly Element[]): readonly (readonly Element[])[] => tabs.map((tab) => [tab, ...tab.children.filter(isElement).slice(0, maxOpeners)])

function namesIn({ tabs, panels, skip }: Tabs): ReadonlyMap<Element, string> {
  const openers = openersOf(tabs)
  const names = new Map<Element, string>()
  for (const [i, tab] of tabs.entries()) {
    const panel = panels.find((panel) => openers[i]?.some((opener) => opens(opener, panel))) ?? (panels.length === tabs.length ? panels[i] : undefined)
    const name = textOf(tab, skip, maxName + 1)
    if (panel !== undefined && !names.has(panel) && name !== '' && name.length <= maxName && textOf(panel, skip, maxLetters) !== '') names.set(panel, name)
  }
  return names
}

/** Whether a panel begins with the name of its tab. The first word of code may be that by chance: `npm`. */
export function beginsWith(panel: Element, name: string, skip: ReadonlySet<AnyNode>): boolean {
  let text = ''
  let nodes = 0
  walk(panel, (node) => {
    if (skip.has(node)) return 'over'
    if (isText(node)) text = node.data.slice(0, maxLetters).trim()
    return text !== '' || ++nodes > maxBegin || (isElement(node) && (node.name === 'pre' || node.name === 'code')) ? 'stop' : 'into'
  })
  return text.toLowerCase() === name.toLowerCase()
}

function tabsIn(list: Element): readonly Element[] {
  const found: Element[] = []
  let nodes = 0
  walk(list, (node) => {
    if (++nodes > maxNodes || found.length > maxTabs) return 'stop'
    if (!isElement(node) || node.attribs['role'] !== 'tab') return 'into'
    found.push(node)
    return 'over'
  })
  return found.length > 0 ? found : list.children.filter(isElement).filter(({ name }) => name !== 'input')
}

/** The ids that a tab, or a link or button inside it, may open. */
function targetOf({ attribs }: Element): readonly string[] {
  const { 'aria-controls': controls } = attribs
  if (controls !== undefined) return [controls]
  return ['href', 'data-bs-target', 'data-target'].flatMap((name) => (attribs[name]?.startsWith('#') ? attribs[name].slice(1) : []))
}

function opens(opener: Element, { attribs: panel }: Element): boolean {
  return (panel['id'] !== undefined && targetOf(opener).includes(panel['id'])) || (panel['aria-labelledby'] !== undefined && panel['aria-labelledby'] === opener.attribs['id'])
}

/** The panels after a list, in the nearest surrounding box that has any, up to the next list of tabs. */
function panelsBehind(list: Element, ids: ReadonlySet<string>, skip: ReadonlySet<AnyNode>): readonly Element[] {
  const found: Element[] = []
  const seen = { nodes: 0, end: false }
  const look = (node: ChildNode): 'into' | 'over' | 'stop' => {
    seen.end ||= ++seen.nodes > maxNodes || found.length > maxTabs || (isElement(node) && isTabList(node))
    if (seen.end) return 'stop'
    if (!isElement(node) || skip.has(node)) return 'over'
    if (!isPanel(node, ids)) return 'into'
    found.push(node)
    return 'over'
  }
  let at: Element = list
  for (let boxes = 0; boxes <= maxBoxes && found.length === 0 && !seen.end; boxes++) {
    for (let next = at.next; next !== null && !seen.end; next = next.next) walkAll([next], look)
    if (at.parent === null || !isElement(at.parent)) break
    at = at.parent
  }
  return found
}

function isPanel({ attribs, parent }: Element, ids: ReadonlySet<string>): boolean {
  if (attribs['role'] === 'tabpanel' || panelClass.test(attribs['class'] ?? '')) return true
  return (attribs['id'] !== undefined && ids.has(attribs['id'])) || (parent !== null && isElement(parent) && panelsClass.test(parent.attribs['class'] ?? ''))
}
