import type { ReadOptions, Removal } from '../../domain/pages/reading.ts'
import { isNonContent } from '../html/non-content.ts'
import { isShownFrame } from '../html/shown-frame.ts'
import type { Element, ParentNode } from '../html/tree.ts'
import { isChallenge } from '../verdict/challenge.ts'
import { signsOf } from '../verdict/signs.ts'
import { isAd, isConsent } from './ads.ts'
import { repeatsHeading } from './heading-links.ts'
import { markNamed, markWhere } from './mark.ts'
import { markNoscripts } from './noscript.ts'
import { isTrackingPixel } from './pixels.ts'
import { markShopPrices } from './shop-prices.ts'
import type { Page, Step } from './step.ts'
import { markHidden } from './veiled.ts'

/**
 * The order is the algorithm: each step may rely on the result of the steps above. Page furniture comes last, in
 * `main-content`.
 */
const steps: readonly Step[] = [
  { name: 'non-content tags', when: () => true, run: (page) => markWhere(page, (element) => isNonContent(element) || isCheckInFrame(element) || repeatsHeading(element)) },
  { name: 'excluded tags', when: (options) => options.excludeTags.length > 0, run: excluded },
  { name: 'hidden', when: () => true, run: (page) => markHidden(page) + (page.unseen === undefined ? markShopPrices(page) : 0) },
  { name: 'noscript', when: () => true, run: markNoscripts },
  { name: 'advertisements', when: (options) => options.blockAds, run: (page) => markWhere(page, isAd) },
  { name: 'consent dialogs', when: (options) => options.blockAds, run: (page) => markWhere(page, isConsent) },
  { name: 'tracking pixels', when: () => true, run: (page) => markNamed(page, ['img', 'iframe'], isTrackingPixel) },
]

/** Whether an element stands for a frame with a bot check, which says nothing about the page around it. */
const isCheckInFrame = (element: Element): boolean => isShownFrame(element) && isChallenge(signsOf(element), { status: 200, headers: [] })

/** Marks everything that is not content, whatever the page is about; returns what each step removed. */
export function clean(page: Page, options: ReadOptions): readonly Removal[] {
  return steps.filter((step) => step.when(options)).map((step) => ({ step: step.name, count: step.run(page, options) }))
}

/** Marks the elements that the caller excluded, even those that `includeTags` selected, there or inside. */
function excluded(page: Page, options: ReadOptions): number {
  let count = 0
  const out = new Set<ParentNode | null>()
  for (const selector of options.excludeTags) {
    const { elements, complete } = page.matcher.select(selector)
    if (!complete) page.warn(`The selector ${JSON.stringify(selector.slice(0, 100))} cost too much on this page and was given up.`)
    for (const element of elements) {
      if (!page.removed.has(element)) count++
      page.removed.add(element)
      out.add(element)
    }
  }
  for (const element of inside(out, page.wanted ?? [])) page.removed.add(element)
  return count
}

/** The elements with one of `heads` above them; each ancestor is looked at once. */
function inside(heads: Set<ParentNode | null>, elements: readonly Element[]): Element[] {
  const clear = new Set<ParentNode | null>([null])
  return elements.filter((element) => {
    const path = new Set<ParentNode | null>()
    let above = element.parent
    for (; !heads.has(above) && !clear.has(above); above = above?.parent ?? null) path.add(above)
    const found = heads.has(above)
    for (const one of path) (found ? heads : clear).add(one)
    return found
  })
}
