import { z } from 'zod'
import { TargetUrl } from './common.ts'

const point = z.number().min(-100_000).max(100_000)
const modifiers = z.int().min(0).max(15).default(0)
const tabId = z.string().min(1).max(100)
/** Longest text that is pasted or typed at once. */
const textLength = 100_000

/** What a viewer who may control a session sends, one JSON text each. */
export const LiveInputMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('mouse'), event: z.enum(['move', 'down', 'up']), x: point, y: point, button: z.enum(['none', 'left', 'middle', 'right']).default('none'), buttons: z.int().min(0).max(31).default(0), clicks: z.int().min(0).max(3).default(0), modifiers }),
  z.object({ type: z.literal('wheel'), x: point, y: point, dx: point, dy: point, modifiers }),
  z.object({ type: z.literal('key'), event: z.enum(['down', 'up']), key: z.string().max(40), code: z.string().max(40), keyCode: z.int().min(0).max(255).default(0), text: z.string().max(8).default(''), location: z.int().min(0).max(3).default(0), repeat: z.boolean().default(false), modifiers }),
  z.object({ type: z.literal('text'), text: z.string().min(1).max(textLength) }),
  z.object({ type: z.literal('navigate'), url: TargetUrl }),
  z.object({ type: z.enum(['back', 'forward', 'reload', 'stop', 'new-tab']) }),
  z.object({ type: z.enum(['tab', 'close-tab']), id: tabId }),
  z.object({ type: z.literal('dialog'), accept: z.boolean(), value: z.string().max(10_000).default('') }),
])
