import { packedObjects } from '../letters/glyph-codes.ts'
import { Objects } from '../file/objects.ts'
import { drawnShapes, type Shape } from './drawn-shapes.ts'
import { pageStreams } from './page-streams.ts'

/** Longer files are not searched for their pages, in bytes. */
const longest = 30_000_000
/** Milliseconds for looking at drawings; pages after that have none. */
const maxMs = 1_000

/** What each page of a file draws, by its index; nothing where that cannot be read, as in encrypted files. */
export function shapesOf(bytes: Buffer, count: number): (page: number) => readonly Shape[] {
  if (bytes.length > longest || bytes.includes('/Encrypt')) return () => []
  const end = performance.now() + maxMs
  const pages = pageStreams(bytes, new Objects(bytes, packedObjects(bytes)), end)
  return (page) => {
    const own = pages?.length === count ? pages[page] : undefined
    return own === undefined || performance.now() > end ? [] : drawnShapes(own)
  }
}
