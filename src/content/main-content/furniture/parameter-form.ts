import { type Element, isElement, isText, walk } from '../../html/tree.ts'

/** Nodes of a form that are looked at. */
const mostNodes = 1500
/** The type of a parameter, as references of interfaces write it. */
const type = /^(?:array of )?(?:string|integer|boolean|object|int32|int64|uint32|uint64|float64)s?(?: \| null)?$/i

/**
 * Whether a form documents parameters by their name and type, as references do in which a request can be tried. A form that
 * a visitor fills in has no fields of type "string".
 */
export function isParameterForm(form: Element): boolean {
  if (form.name !== 'form') return false
  let found = false
  let nodes = 0
  walk(form, (node) => {
    if (found || ++nodes > mostNodes || (isElement(node) && (node.name === 'select' || node.name === 'script' || node.name === 'button'))) return false
    if (isText(node)) found = node.data.length < 60 && type.test(node.data.trim())
    return undefined
  })
  return found
}
