import { type AnyNode, type ChildNode, type Element, isTag } from 'domhandler'
import { textOf, walk, walkAll } from './dom.ts'

/** Lists of tabs by their class: Bootstrap, Material for MkDocs, VitePress. */
const listClass = /(?:^|\s)(?:nav-tabs|tabbed-labels|tabs)(?:\s|$)/
/** Panels of tabs by their class, and boxes whose children are panels, likewise. */
const panelClass = /(?:^|\s)tab-pane(?:\s|$)/
const panelsClass = /(?:^|\s)(?:tabbed-content|blocks)(?:\s|$)/
const maxTabs = 24
/** Letters of a name; a longer text is none. */
const maxName = 60
/** Elements of a tab that may say what it opens. */
const maxOpeners = 4
/** Boxes around a list of tabs behind which its panels are looked for. */
const maxBoxes = 3
/** Nodes of a list, and behind it, that are looked at for tabs and panels. */
const maxNodes = 2000
/** Letters and nodes of a panel that are looked at for something that it says. */
const maxLetters = 500

/** Whether an element is a list of tabs (WAI-ARIA 1.2, `tablist`). */
export function isTabList({ attribs }: Element): boolean {
  return attribs['role'] === 'tablist' || listClass.test(attribs['class'] ?? '')
}

/**
 * What each panel of a list of tabs is called: the panel that a tab names, or that names the tab, else all of them in their order. Undefined
 * unless each of at least two tabs has a name, and a panel behind the list that says something. Looks at a bounded part of the page.
 */
export function panelNames(list: Element, skip: ReadonlySet<AnyNode>): ReadonlyMap<Element, string> | undefined {
  const tabs = tabsIn(list)
  if (tabs.length < 2 || tabs.length > maxTabs) return undefined
  const openers = tabs.map((tab) => [tab, ...tab.children.filter(isTag).slice(0, maxOpeners)])
  const panels = panelsBehind(list, new Set(openers.flat().flatMap(targetOf)), skip)
  if (panels.length < tabs.length) return undefined
  const names = new Map<Element, string>()
  for (const [i, tab] of tabs.entries()) {
    const panel = panels.find((panel) => openers[i]?.some((opener) => opens(opener, panel))) ?? (panels.length === tabs.length ? panels[i] : undefined)
    const name = textOf(tab, skip, maxName + 1)
    if (panel === undefined || names.has(panel) || name === '' || name.length > maxName || textOf(panel, skip, maxLetters) === '') return undefined
    names.set(panel, name)
  }
  return names
}

function tabsIn(list: Element): readonly Element[] {
  const found: Element[] = []
  let nodes = 0
  walk(list, (node) => {
    if (++nodes > maxNodes || found.length > maxTabs) return 'stop'
    if (!isTag(node) || node.attribs['role'] !== 'tab') return 'into'
    found.push(node)
    return 'over'
  })
  return found.length > 0 ? found : list.children.filter(isTag).filter(({ name }) => name !== 'input')
}

/** The id of the panel that a tab, or a link or button in it, opens. */
function targetOf({ attribs }: Element): readonly string[] {
  const { 'aria-controls': controls } = attribs
  if (controls !== undefined) return [controls]
  return ['href', 'data-bs-target', 'data-target'].flatMap((name) => (attribs[name]?.startsWith('#') ? attribs[name].slice(1) : []))
}

function opens(opener: Element, { attribs: panel }: Element): boolean {
  return (panel['id'] !== undefined && targetOf(opener).includes(panel['id'])) || (panel['aria-labelledby'] !== undefined && panel['aria-labelledby'] === opener.attribs['id'])
}

/** The panels that follow a list in the nearest box that has any, as far as the next list. */
function panelsBehind(list: Element, ids: ReadonlySet<string>, skip: ReadonlySet<AnyNode>): readonly Element[] {
  const found: Element[] = []
  const seen = { nodes: 0, end: false }
  const look = (node: ChildNode): 'into' | 'over' | 'stop' => {
    seen.end ||= ++seen.nodes > maxNodes || found.length > maxTabs || (isTag(node) && isTabList(node))
    if (seen.end) return 'stop'
    if (!isTag(node) || skip.has(node)) return 'over'
    if (!isPanel(node, ids)) return 'into'
    found.push(node)
    return 'over'
  }
  let at: Element = list
  for (let boxes = 0; boxes <= maxBoxes && found.length === 0 && !seen.end; boxes++) {
    for (let next = at.next; next !== null && !seen.end; next = next.next) walkAll([next], look)
    if (at.parent === null || !isTag(at.parent)) break
    at = at.parent
  }
  return found
}

function isPanel({ attribs, parent }: Element, ids: ReadonlySet<string>): boolean {
  if (attribs['role'] === 'tabpanel' || panelClass.test(attribs['class'] ?? '')) return true
  return (attribs['id'] !== undefined && ids.has(attribs['id'])) || (parent !== null && isTag(parent) && panelsClass.test(parent.attribs['class'] ?? ''))
}
