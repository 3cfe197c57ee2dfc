import type { Session } from '../protocol/page-session.ts'
import { getterScript } from './getter-script.ts'
import { variable } from './variable.ts'
import { worldName } from './world.ts'

/** The largest document that a browser can lay out in acceptable time. */
export interface Bearable {
  readonly nodes: number
  readonly chars: number
  readonly depth: number
}

// Well above the largest pages that people read, and what a slow machine lays out within seconds.
const usual: Bearable = { nodes: 400_000, chars: 10_000_000, depth: 2_000 }

/** Where the isolated world records that a document is no longer rendered. */
export const relieved = variable('relieved')

/**
 * Stops rendering documents beyond a size before their first layout, which would block the page's thread for longer than
 * the page has. Call it before the first navigation; applies to the page's frames too.
 */
export async function relieve(cdp: Session, most: Bearable = usual): Promise<void> {
  await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: `(${watch})(${JSON.stringify(most)})`, worldName })
}

// Observers run before the next rendering. Counting takes a twentieth of the time at most.
const watch = String.raw`(most) => {
  ${getterScript}
  const nodeType = getter(Node.prototype, 'nodeType')
  const firstChild = getter(Node.prototype, 'firstChild')
  const nextSibling = getter(Node.prototype, 'nextSibling')
  const parentNode = getter(Node.prototype, 'parentNode')
  const length = getter(CharacterData.prototype, 'length')
  const isTooMuch = () => {
    let nodes = 0, chars = 0, depth = 0
    for (let node = document; node !== null; ) {
      if (++nodes > most.nodes || chars > most.chars || depth > most.depth) return true
      const inner = firstChild(node)
      if (inner === null && nodeType(node) === 3) chars += length(node)
      if (inner !== null) depth++
      let next = inner
      while (next === null && node !== document) {
        next = nextSibling(node)
        if (next !== null) break
        node = parentNode(node)
        if (node === null) return false
        depth--
      }
      node = next
    }
    return chars > most.chars
  }
  let after = 0
  let later = 0
  const look = () => {
    const began = performance.now()
    clearTimeout(later)
    if (began < after) {
      later = setTimeout(look, after - began)
      return
    }
    if (!isTooMuch()) {
      const now = performance.now()
      after = now + (now - began) * 20
      return
    }
    observer.disconnect()
    ${relieved} = true
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(':root { display: none !important }')
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  }
  const observer = new MutationObserver(look)
  observer.observe(document, { subtree: true, childList: true, characterData: true })
}`
