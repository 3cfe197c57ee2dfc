import { isParameterForm } from '../../parameter-form.ts'
import { type Frame, withName } from '../frame.ts'
import { isIn } from './lines.ts'

/** Keeps parameters that are documented in a form below kept text. The trees take all forms for what asks something. */
export function keepParameters(frame: Frame, kept: Uint8Array): void {
  const { outline: o, blocks, rules } = frame
  for (const i of withName(frame, 'form')) {
    const element = o.elements[i]
    if (element === undefined || rules.verdict[i] === 1) continue
    const [first, end] = [blocks.first[i] ?? 0, blocks.end[i] ?? 0]
    if (!kept.subarray(0, first).includes(1) || !isParameterForm(element)) continue
    for (let at = first; at < end; at++) {
      const block = blocks.all[at]
      if (block !== undefined && !isIn(frame, block)) kept[at] = 1
    }
  }
}
