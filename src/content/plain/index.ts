import type { BodyKind } from '../body-kind.ts'
import { markdownOfType, type PlainOptions, verbatim } from './by-media-type.ts'

/** Media types of the kinds that the body's content decides. */
const kinds: Readonly<Partial<Record<BodyKind, string>>> = { json: 'application/json', xml: 'application/xml' }

/**
 * A body of that kind as markdown. The kind takes precedence over the media type; text of an unknown type stays as it is.
 */
export function toPlainMarkdown(text: string, kind: BodyKind, mediaType = '', options: PlainOptions = {}): string {
  return markdownOfType(text, kinds[kind] ?? mediaType, options) ?? verbatim(text)
}
