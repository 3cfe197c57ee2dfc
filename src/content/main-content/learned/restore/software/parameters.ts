import { isParameterForm } from '../../../furniture/parameter-form.ts'
import { type Frame, withName } from '../../frame.ts'
import { keepOutside } from '../lines.ts'

/** Keeps parameters that are documented in a form below kept text. The trees take all forms for what asks something. */
export function keepParameters(frame: Frame, kept: Uint8Array): void {
  const { outline: o, blocks, rules } = frame
  for (const i of withName(frame, 'form')) {
    const element = o.elements[i]
    if (element === undefined || rules.verdict[i] === 1) continue
    if (kept.subarray(0, blocks.first[i]).includes(1) && isParameterForm(element)) keepOutside(frame, kept, i)
  }
}
