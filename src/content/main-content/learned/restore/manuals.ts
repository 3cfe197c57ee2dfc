import { isManual, mayBeManual } from '../../manual.ts'
import { type Frame, ofKind } from '../frame.ts'
import { isIn } from './lines.ts'

/** The share of its letters from which on a page of a manual is kept whole. */
const some = 0.2

/** Keeps pages of manuals of which some is kept whole, without what the rules call furniture. */
export function keepManuals(frame: Frame, kept: Uint8Array): void {
  const { outline: o, blocks } = frame
  let done = 0
  for (const i of ofKind(frame, mayBeManual)) {
    const element = o.elements[i]
    if (i < done || element === undefined || !isManual(element)) continue
    const [first, end] = [blocks.first[i] ?? 0, blocks.end[i] ?? 0]
    let letters = 0
    for (let at = first; at < end; at++) if (kept[at] === 1) letters += blocks.all[at]?.measure.letters ?? 0
    if (letters < (o.text[i] ?? 0) * some) continue
    done = o.end[i] ?? 0
    for (let at = first; at < end; at++) {
      const block = blocks.all[at]
      if (block !== undefined && !isIn(frame, block)) kept[at] = 1
    }
  }
}
