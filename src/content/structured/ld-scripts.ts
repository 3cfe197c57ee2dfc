import { attribute, type Element, isText } from '../html/tree.ts'

/** Whether a script holds JSON-LD. */
export function isJsonLd(script: Element): boolean {
  return /^application\/ld\+json\b/i.test(attribute(script, 'type')?.trim() ?? '')
}

/** The first characters of the JSON-LD in a script; '' for any other script. */
export function jsonLdText(script: Element, most: number): string {
  const [text] = script.children
  return text !== undefined && isText(text) && isJsonLd(script) ? text.data.slice(0, most) : ''
}
