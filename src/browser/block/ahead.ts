import type { CDPSession } from 'playwright-core'
import { worldName } from '../page/world.ts'

/** Whether a request is for a page that somebody may want later: `<link rel="prefetch">` (Fetch standard, `Sec-Purpose`). */
export function isAhead({ headers }: { readonly headers: Readonly<Record<string, string>> }): boolean {
  return Object.entries(headers).some(([name, value]) => /^(?:sec-)?purpose$/i.test(name) && value.startsWith('prefetch'))
}

/**
 * Takes speculation rules (HTML standard) out of the page's documents before the browser follows them: what it fetches by them passes by every
 * other control. To be called before the first navigation. They are missing from what is taken home; rules in a file that a header names stay.
 */
export async function withoutSpeculation(cdp: CDPSession): Promise<void> {
  await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: `(${watch})()`, worldName })
}

// An observer is told before the browser looks at the rules.
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
