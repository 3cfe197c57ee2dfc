import type { Contribution, TrackedFields } from '../domain/pages/derivation.ts'
import type { Format, FormatType } from '../spec/formats.ts'
import { isEmpty } from './analysis/ground.ts'
import { tracksFields } from './tracking.ts'

/** The field of a format that costs more than a page; undefined for others. */
function given({ type }: Format, { json, answer, highlights }: Contribution): unknown {
  return type === 'json' ? json : type === 'question' || type === 'query' ? answer : type === 'highlights' ? highlights : undefined
}

/** Whether a format that costs more than a page has nothing in what was made. Formats that cost nothing have nothing to be charged for. */
export function givesNothing(format: Format, made: Contribution): boolean {
  const value = given(format, made)
  return value === '' || isEmpty(value)
}

/** The formats that gave nothing for lack of a model: nothing stands in for it, and so they are not charged. */
export function withoutModel(formats: readonly Format[], made: Contribution, tracked: TrackedFields | undefined): readonly FormatType[] {
  return formats.filter((format) => (tracksFields(format) ? isEmpty(tracked?.value) : given(format, made) !== undefined && givesNothing(format, made))).map(({ type }) => type)
}
