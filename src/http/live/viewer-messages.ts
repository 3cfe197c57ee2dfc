import type { LiveInput } from '../../domain/sessions/live-browser.ts'
import { jsonShape } from '../../lib/json-shape.ts'
import { LiveInputMessage } from '../../spec/live-view.ts'

/** An input has no lists and few members. */
const mostValues = 16
/** Messages of a viewer that are read in a second, and their bytes. */
const rate = { messages: 500, bytes: 4 * 1024 ** 2 }

/** A message of a viewer: an input, the address of one that names none of the web, or nothing that is understood. */
export type ViewerMessage = LiveInput | 'no address' | null

/** Reads a viewer's message. What has the shape of no input is not parsed, as half a megabyte of values takes long. */
export function viewerMessage(text: string): ViewerMessage {
  const { depth, values } = jsonShape(Buffer.from(text))
  if (depth > 1 || values > mostValues) return null
  try {
    const value: unknown = JSON.parse(text)
    const input = LiveInputMessage.safeParse(value)
    if (input.success) return input.data
    return typeof value === 'object' && value !== null && 'type' in value && value.type === 'navigate' ? 'no address' : null
  } catch {
    return null
  }
}

/** Counts a viewer's messages by their bytes. Answers for how many milliseconds no more may be read. */
export function viewerRate(now: () => number): (bytes: number) => number {
  const taken = { second: 0, messages: 0, bytes: 0 }
  return (bytes) => {
    const at = now()
    const second = Math.floor(at / 1_000)
    if (second !== taken.second) Object.assign(taken, { second, messages: 0, bytes: 0 })
    taken.messages += 1
    taken.bytes += bytes
    return taken.messages < rate.messages && taken.bytes < rate.bytes ? 0 : (second + 1) * 1_000 - at
  }
}
