import { jsonShape } from '../../lib/json-shape.ts'

/** Chromium takes no deeper commands; and to write what nests much deeper would exhaust our own stack. */
const deepest = 300
// Measured: to parse and to write a value again takes as long as this many bytes of text do; a new name takes longest.
const valueBytes = 64
const memberBytes = 256

/**
 * How long a JSON text takes to parse and to write again, in bytes of plain text that take as long; infinity when it nests
 * too deep.
 */
export function weightOf(text: string): number {
  const { depth, values, members } = jsonShape(Buffer.from(text))
  return depth > deepest ? Number.POSITIVE_INFINITY : text.length + (values - 1) * valueBytes + members * memberBytes
}
