import type { BodyKind } from './body-kind.ts'
import { markdownOfType, verbatim } from './plain/by-media-type.ts'

/** Media types of the kinds that a body's own look decides. */
const kinds: Readonly<Partial<Record<BodyKind, string>>> = { json: 'application/json', xml: 'application/xml' }

/** A body of that kind as markdown: the kind outweighs the media type, and what is neither is left as it is. */
export function toPlainMarkdown(text: string, kind: BodyKind, mediaType = ''): string {
  return markdownOfType(text, kinds[kind] ?? mediaType) ?? verbatim(text)
}
