import { z } from 'zod'
import { limits } from './limits.ts'

const selector = z.string().max(limits.selectorLength).describe('CSS selector; `frame >>> element` leads into a frame.')

/** The nine `type` values of the ten actions (contract §3.3). Keys that an action does not know are ignored with a warning. */
export const actionObjects = {
  wait: z
    .object({
      type: z.literal('wait'),
      milliseconds: z.int().min(1).max(limits.actionWaitTotal).optional(),
      selector: selector.optional().describe('Wait until an element of this CSS selector is visible; `frame >>> element` leads into a frame.'),
    })
    .refine((action) => (action.milliseconds === undefined) !== (action.selector === undefined), 'Give exactly one of milliseconds and selector'),
  screenshot: z.object({
    type: z.literal('screenshot'),
    fullPage: z.boolean().default(false),
    quality: z.int().min(1).max(100).optional(),
    viewport: z
      .object({ width: z.int().min(1).max(limits.viewportWidth), height: z.int().min(1).max(limits.viewportHeight) })
      .optional(),
  }),
  click: z.object({ type: z.literal('click'), selector: selector.min(1), all: z.boolean().default(false) }),
  write: z.object({
    type: z.literal('write'),
    text: z.string().describe('Typed key by key. In a list it is an entry, by its text or value; in a date or time what the form sends, such as `2026-12-31`.'),
    selector: selector.optional().describe('Where to; without it, into what has the focus.'),
  }),
  press: z.object({ type: z.literal('press'), key: z.string().min(1).max(100).describe('Such as `Enter`, `ArrowDown`, `a` or `Control+A`; in whatever case.') }),
  scroll: z.object({
    type: z.literal('scroll'),
    direction: z.enum(['up', 'down']).default('down'),
    selector: selector.optional(),
    amount: z.int().min(1).max(1_000_000).optional().describe('Pixels; default one viewport.'),
  }),
  scrape: z.object({ type: z.literal('scrape') }),
  executeJavascript: z.object({ type: z.literal('executeJavascript'), script: z.string().min(1).max(limits.scriptLength) }),
  pdf: z.object({
    type: z.enum(['pdf', 'generatePDF']).transform(() => 'pdf' as const),
    format: z.enum(['A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'Letter', 'Legal', 'Tabloid', 'Ledger']).default('Letter'),
    landscape: z.boolean().default(false),
    scale: z.number().min(0.1).max(2).default(1),
  }),
} as const

/** One entry of `actions`. */
export const Action = z
  .union([
    actionObjects.wait, actionObjects.screenshot, actionObjects.click, actionObjects.write, actionObjects.press,
    actionObjects.scroll, actionObjects.scrape, actionObjects.executeJavascript, actionObjects.pdf,
  ])
  .meta({ id: 'Action' })
export type Action = z.output<typeof Action>

/** A selector wait counts as one second towards the total wait (contract §2, waitFor). */
export function plannedWait(actions: readonly Action[]): number {
  const waits = actions.filter((action) => action.type === 'wait')
  return waits.reduce((total, action) => total + (action.milliseconds ?? 1_000), 0)
}
