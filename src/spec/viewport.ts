import { z } from 'zod'
import { limits } from './limits.ts'

/** The size of a screenshot. Keys that it does not know are ignored with a warning, as those of a screenshot are (contract §15.3). */
export const viewport = z
  .object({
    width: z.int().min(1).max(limits.viewportWidth),
    height: z.int().min(1).max(limits.viewportHeight),
  })
  .describe('Size of the viewport in pixels.')
