import type { Capability } from '../domain/capture.ts'
import type { FormatType } from '../spec/formats.ts'
import type { FormatHandler } from './format.ts'

/** A format whose back end is not part of this release: its need is never met, so that asking for it is refused by name. */
export function later<T extends FormatType>(need: Capability): FormatHandler<T> {
  return {
    needs: [need],
    run: () => {
      throw new Error(`format ran without ${need}`)
    },
  }
}
