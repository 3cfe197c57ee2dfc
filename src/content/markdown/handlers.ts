import type { Element } from 'domhandler'
import { blockHandlers } from './elements/blocks.ts'
import { codeHandlers } from './elements/code.ts'
import { imageHandlers } from './elements/images.ts'
import { linkHandlers } from './elements/links.ts'
import { listHandlers } from './elements/lists.ts'
import { mediaHandlers } from './elements/media.ts'
import { tableHandlers } from './elements/tables.ts'
import { textHandlers } from './elements/text.ts'
import type { Handler } from './page.ts'

/** Every element that is more than its children; all others are inline and pass their children through. */
const handlers: ReadonlyMap<string, Handler> = new Map(
  [textHandlers, blockHandlers, listHandlers, linkHandlers, imageHandlers, mediaHandlers, codeHandlers, tableHandlers].flatMap((family) => Object.entries(family)),
)

/** Who writes this element; undefined when only its children count. */
export function handlerOf(element: Element): Handler | undefined {
  return handlers.get(element.name)
}
