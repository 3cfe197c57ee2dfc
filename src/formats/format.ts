import type { Capability } from '../domain/pages/capture.ts'
import type { Contribution } from '../domain/pages/derivation.ts'
import type { PageReading } from '../content/reading.ts'
import type { FormatOf, FormatType } from '../spec/formats.ts'

/** An output format: what it requires, and how it is made from a reading. */
export interface FormatHandler<T extends FormatType> {
  /** Without these capabilities the request is refused before any work. */
  readonly needs: readonly Capability[]
  run(reading: PageReading, options: FormatOf<T>): Contribution
}
