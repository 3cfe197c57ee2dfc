import { read } from '../../content/reading.ts'
import { liftedBy, tracesOf } from '../../content/template/rules.ts'
import type { Capture } from '../../domain/pages/capture.ts'
import type { ReadOptions } from '../../domain/pages/reading.ts'
import type { Lifted, Sample, Template } from '../../domain/pages/templates.ts'

/** A page, and how it is to be read. */
interface Page {
  readonly capture: Capture
  readonly read: ReadOptions
}

/** The values that the rules of a template give on a page. */
export function lifted({ page, rules }: { readonly page: Page; readonly rules: Template['rules'] }): Sample['lifted'] {
  return liftedBy(read(page.capture, page.read).places(), rules)
}

/** The rules that would give these values on a page, and the values that the known rules give. */
export function traced({ page, values, rules }: { readonly page: Page; readonly values: Readonly<Record<string, Lifted>>; readonly rules: Template['rules'] }): Pick<Sample, 'traces' | 'lifted'> {
  const places = read(page.capture, page.read).places()
  return { traces: tracesOf(places, values), lifted: liftedBy(places, rules) }
}
