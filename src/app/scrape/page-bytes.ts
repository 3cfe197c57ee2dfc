import type { ScrapeData } from '../../spec/scrape.ts'

/** The parts of an answer that differ between two answers with the same formats. */
export type Frame = Pick<ScrapeData, 'warning' | 'explain' | 'metadata' | 'screenshot' | 'changeTracking' | 'audio' | 'video'>

/** The bytes of a page as served: formats, then frame (JSON objects both). */
export function documentOf(json: Uint8Array, frame: string): Uint8Array {
  return Buffer.concat(parts(json, frame))
}

/** The bytes of a response with the page in `data`. */
export function bodyOf(json: Uint8Array, frame: string): Uint8Array {
  return Buffer.concat([Buffer.from('{"success":true,"data":'), ...parts(json, frame), Buffer.from('}')])
}

function parts(json: Uint8Array, frame: string): readonly Uint8Array[] {
  const formats = json.subarray(0, -1)
  const comma = formats.length > 1 ? ',' : ''
  return [formats, Buffer.from(`${comma}${frame.slice(1)}`)]
}
