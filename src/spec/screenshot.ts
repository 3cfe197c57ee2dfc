import { z } from 'zod'
import { limits } from './limits.ts'

/** The size of a screenshot. Keys that it does not know are ignored with a warning, as those of a screenshot are (contract §15.3). */
export const viewport = z
  .object({
    width: z.int().min(1).max(limits.viewportWidth),
    height: z.int().min(1).max(limits.viewportHeight),
  })
  .describe('Size of the viewport in pixels.')

/** What a screenshot shows, be it a format or an action. */
export const screenshotOptions = {
  fullPage: z.boolean().default(false).describe('Capture the whole page instead of the viewport.'),
  quality: z.int().min(1).max(100).optional().describe('JPEG quality; without it the screenshot is a PNG.'),
  viewport: viewport.optional(),
}
