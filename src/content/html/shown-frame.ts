import { attribute, type Element } from './tree.ts'

/** Where a rendered page has what a frame shows in the frame's place: the attribute with the frame's address. */
export const shownFrame = 'data-frame'

/** Whether an element stands for a frame of a rendered page. */
export const isShownFrame = (element: Element): boolean => element.name === 'div' && /^(?:https?|about|data|blob):/.test(attribute(element, shownFrame) ?? '')
