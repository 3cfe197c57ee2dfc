import { packedObjects } from '../letters/glyph-codes.ts'
import { Objects } from '../file/objects.ts'
import { drawnShapes, type Shape } from './drawn-shapes.ts'
import { type PageStream, pageStreams } from './page-streams.ts'

/** Longer files are not searched for their pages, in bytes. */
const longest = 30_000_000
/** Milliseconds for looking at drawings; pages after that have none. */
const maxMs = 1_000

/** What a page draws, and its size in points; null when that is not known. */
export interface PageDrawing {
  readonly shapes: readonly Shape[]
  readonly size: PageStream['size']
}

const unknown: PageDrawing = { shapes: [], size: null }

/** What each page of a file draws, by its index; nothing where that cannot be read, as in encrypted files. */
export function drawingsOf(bytes: Buffer, count: number): (page: number) => PageDrawing {
  if (bytes.length > longest || bytes.includes('/Encrypt')) return () => unknown
  const end = performance.now() + maxMs
  const pages = pageStreams(bytes, new Objects(bytes, packedObjects(bytes)), end)
  return (page) => {
    const own = pages?.length === count ? pages[page] : undefined
    return own === undefined || performance.now() > end ? unknown : { shapes: drawnShapes(own), size: own.size }
  }
}
