import type { Session } from '../protocol/page-session.ts'
import { worldName } from '../page/world.ts'

/**
 * Whether a request prefetches a page that may be visited later: `<link rel="prefetch">` (Fetch standard, `Sec-Purpose`).
 */
export function isAhead({ headers }: { readonly headers: Readonly<Record<string, string>> }): boolean {
  return Object.entries(headers).some(([name, value]) => /^(?:sec-)?purpose$/i.test(name) && value.startsWith('prefetch'))
}

/**
 * Removes speculation rules (HTML standard) from the page's documents before the browser follows them, because speculative
 * requests bypass all other controls. Call it before the first navigation. The rules are missing from the snapshot; rules
 * in a file named by a header stay in effect.
 */
export async function withoutSpeculation(cdp: Session): Promise<void> {
  await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: `(${watch})()`, worldName })
}

// Observers run before the browser looks at the rules.
const watch = String.raw`() => {
  const rules = 'script[type="speculationrules" i]'
  const clear = (node) => {
    if (node.nodeType !== 1) return
    if (node.matches(rules)) node.remove()
    else if (node.firstElementChild !== null) for (const one of node.querySelectorAll(rules)) one.remove()
  }
  new MutationObserver((records) => {
    for (const { addedNodes } of records) addedNodes.forEach(clear)
  }).observe(document, { subtree: true, childList: true })
}`
