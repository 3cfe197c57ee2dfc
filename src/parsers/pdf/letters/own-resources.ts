import { entriesOf } from '../file/dictionary.ts'
import type { Objects } from '../file/objects.ts'

const node = /\/Type\s{0,4}\/Pages(?!\w)/
/** A page or node; an update writes objects of generation 0 only. */
const kid = /(\d{1,9})\s+0\s+R/g
/** Most characters that are added to a file. */
const mostAdded = 30_000_000

/** Whether a file has pages that may inherit their resources; `packed` are the objects in object streams. */
export function mayInherit(bytes: Buffer, packed: ReadonlyMap<number, string>): boolean {
  for (let at = bytes.indexOf('/Pages'); at >= 0;) {
    const end = bytes.indexOf('endobj', at)
    if (end < 0) break
    if (passesOn(bytes.toString('latin1', Math.max(0, bytes.lastIndexOf('obj', at)), end))) return true
    at = bytes.indexOf('/Pages', end)
  }
  return [...packed.values()].some(passesOn)
}

const passesOn = (dictionary: string): boolean => node.test(dictionary) && dictionary.includes('/Resources')

/**
 * The pages that inherit their resources from the tree of pages (PDF 1.7, 7.7.3.4), by number, with resources of their own. The
 * native library looks for fonts only there, and takes codes for letters without them: "office" becomes "of\u0152ce".
 */
export function withOwnResources(objects: Objects): Map<number, Buffer> {
  const found = new Map<number, Buffer>()
  const seen = new Set<number>()
  let left = mostAdded
  const nodes = [...objects.dictionaries().values()].filter(passesOn).map((parent) => ({ parent, resources: entriesOf(parent).get('/Resources') ?? '<< >>' }))
  for (let next = nodes.pop(); next !== undefined && left > 0; next = nodes.pop()) {
    const { parent, resources } = next
    for (const number of kidsOf(objects, parent)) {
      const own = objects.dictionary(number)
      const end = own.lastIndexOf('>>')
      // A node in the tree with resources of its own passes on those.
      if (seen.has(number) || own.includes('/Resources') || end < 0 || left < 0) continue
      seen.add(number)
      if (node.test(own)) nodes.push({ parent: own, resources })
      else {
        const text = `${own.slice(0, end)} /Resources ${resources} >>`
        left -= text.length
        found.set(number, Buffer.from(text, 'latin1'))
      }
    }
  }
  return found
}

/** The numbers of the pages and nodes below a node of the tree. */
const kidsOf = (objects: Objects, parent: string): number[] => [...objects.resolved(entriesOf(parent).get('/Kids') ?? '').matchAll(kid)].map(([, number]) => Number(number))
