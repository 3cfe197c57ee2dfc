import type { Capability } from '../domain/capture.ts'
import type { Contribution } from '../domain/derivation.ts'
import type { PageReading } from '../content/reading.ts'
import type { FormatOf, FormatType } from '../spec/formats.ts'

/** One output format: what it needs, and how it is made from a reading. */
export interface FormatHandler<T extends FormatType> {
  /** Without these the request is refused before any work. */
  readonly needs: readonly Capability[]
  run(reading: PageReading, options: FormatOf<T>): Contribution
}
