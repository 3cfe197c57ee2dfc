import { attribute, type Element } from '../html/tree.ts'

const tiny = (value: string | undefined): boolean => value !== undefined && /^\s*[01](?:px)?\s*$/.test(value)

/** Whether an image or frame is too small to be visible: a tracking pixel. */
export function isTrackingPixel(element: Element): boolean {
  if (element.name !== 'img' && element.name !== 'iframe') return false
  return tiny(attribute(element, 'width')) && tiny(attribute(element, 'height'))
}
