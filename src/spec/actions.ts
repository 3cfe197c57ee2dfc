import { z } from 'zod'
import { limits } from './limits.ts'
import { screenshotOptions } from './screenshot.ts'

const selector = z.string().max(limits.selectorLength).describe('CSS selector, also of what is in shadow trees; `frame >>> element` selects inside a frame.')

/** The nine `type` values of the ten actions (contract §3.3). Keys that an action does not know are ignored with a warning. */
export const actionObjects = {
  wait: z
    .object({
      type: z.literal('wait'),
      milliseconds: z.int().min(1).max(limits.actionWaitTotal).optional().describe('Time to wait. Exactly one of `milliseconds` and `selector` must be given.'),
      selector: selector.optional().describe('Wait until an element that matches this CSS selector is visible; `frame >>> element` selects inside a frame.'),
    })
    .refine((action) => (action.milliseconds === undefined) !== (action.selector === undefined), 'Give exactly one of milliseconds and selector')
    .describe('Wait for a time or an element.'),
  screenshot: z
    .object({
      type: z.literal('screenshot'),
      ...screenshotOptions,
    })
    .describe('Take a screenshot.'),
  click: z
    .object({ type: z.literal('click'), selector: selector.min(1), all: z.boolean().default(false).describe('Click every matching element instead of the first.') })
    .describe('Click an element.'),
  write: z
    .object({
      type: z.literal('write'),
      text: z.string().describe('Typed key by key. For a drop-down list: the text or value of an option. For a date or time field: the value that the form submits, such as `2026-12-31`.'),
      selector: selector.optional().describe('The field to type into; default: the focused element.'),
    })
    .describe('Type text into a field.'),
  press: z
    .object({ type: z.literal('press'), key: z.string().min(1).max(100).describe('Key or combination, such as `Enter`, `ArrowDown`, `a` or `Control+A`; case does not matter.') })
    .describe('Press a key.'),
  scroll: z
    .object({
      type: z.literal('scroll'),
      direction: z.enum(['up', 'down']).default('down'),
      selector: selector.optional().describe('Element to scroll; default: the page.'),
      amount: z.int().min(1).max(1_000_000).optional().describe('Pixels; default: the height of the viewport.'),
    })
    .describe('Scroll the page or an element.'),
  scrape: z.object({ type: z.literal('scrape') }).describe('Return the HTML of the page at this moment.'),
  executeJavascript: z
    .object({ type: z.literal('executeJavascript'), script: z.string().min(1).max(limits.scriptLength).describe('The value of its last expression is in the answer, with at most 500,000 values and names; promises are awaited.') })
    .describe('Run JavaScript in the page.'),
  pdf: z
    .object({
      type: z.enum(['pdf', 'generatePDF']).transform(() => 'pdf' as const),
      format: z.enum(['A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'Letter', 'Legal', 'Tabloid', 'Ledger']).default('Letter').describe('Paper size.'),
      landscape: z.boolean().default(false),
      scale: z.number().min(0.1).max(2).default(1),
    })
    .describe('Print the page as a PDF.'),
} as const

/** One entry of `actions`. */
export const Action = z.union(Object.values(actionObjects)).meta({ id: 'Action' })
export type Action = z.output<typeof Action>

/** A selector wait counts as one second towards the total wait (contract §2, waitFor). */
export function plannedWait(actions: readonly Action[]): number {
  const waits = actions.filter((action) => action.type === 'wait')
  return waits.reduce((total, action) => total + (action.milliseconds ?? 1_000), 0)
}
