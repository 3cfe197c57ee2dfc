import type { PageReading } from '../content/reading.ts'
import type { Derivation, DeriveOrder } from '../domain/pages/derivation.ts'
import type { Format, FormatOf } from '../spec/formats.ts'
import { filled } from './meaning.ts'

/** Whether a format is change tracking that compares fields. */
export const tracksFields = (format: Format): format is FormatOf<'changeTracking'> => format.type === 'changeTracking' && format.modes.includes('json')

/** The fields that change tracking compares, as far as the page's own data proves them. */
export function trackedOf(reading: PageReading, { formats }: DeriveOrder): Pick<Derivation, 'tracked'> {
  const format = formats.find(tracksFields)
  return format === undefined ? {} : { tracked: filled(reading, format) }
}
