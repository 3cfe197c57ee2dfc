import { cutText, faultText, type ModelFault } from '../../domain/model.ts'
import type { Boilerplate } from '../../formats/analysis/assembly.ts'
import { noModel } from '../../formats/warnings.ts'
import { tokensOf } from '../../lib/tokens.ts'
import { askJson, type Asking, listIn, numberOf } from './asking.ts'
import { fenced, rules } from './fence.ts'

const system = `You find what is not content in the markdown of a web page: cookie banners, advertisements, share buttons, breadcrumbs, newsletter forms, comment sections, lists of related articles, navigation. ${rules}
The blocks are numbered. Answer with {"delete": […]}: the numbers of the blocks that are wholly such boilerplate. When in doubt keep the block; an empty list is a good answer.`
const schema = { type: 'object', properties: { delete: { type: 'array', items: { type: 'integer' } } }, required: ['delete'] }
/** Which blocks of the markdown to delete, and the warning about it. */
export interface Tidied {
  readonly clean: Boilerplate | null
  readonly warning: string | null
  readonly fault: ModelFault | null
}

const untouched: Tidied = { clean: null, warning: null, fault: null }

/**
 * Finds boilerplate with a model that can only name blocks to delete (contract §15.17); beyond its limits nothing is
 * deleted.
 */
export async function tidied(bytes: Uint8Array, asking: Asking): Promise<Tidied> {
  const { limits } = asking.model
  const limit = Math.min(limits.output, limits.input - tokensOf(system) - 500)
  const { tokens, shown } = await asking.analyse('numbered', { bytes, seen: asking.material.text, limit }, asking.call)
  if (tokens !== null && tokens > limit) return { ...untouched, warning: 'onlyCleanContent: the markdown exceeds the limit of the language model; it was left as it is.' }
  if (shown.length === 0) return untouched
  const answer = await askJson({ purpose: 'clean', system, prompt: fenced(shown.map(({ at, text }) => `[${at + 1}] ${text}`).join('\n\n')), schema }, asking)
  const byRules = (fault: ModelFault): Tidied => ({ clean: 'by-rules', warning: `onlyCleanContent: ${faultText[fault]}. ${noModel.clean}`, fault })
  if (!answer.ok) return byRules(answer.fault)
  const { value, cut } = answer
  const list = listIn(value, 'delete')
  if (list === null) return byRules('unusable')
  const allowed = new Set(shown.map(({ at }) => at))
  return { ...untouched, clean: [...new Set(list.map((number) => numberOf(number) - 1))].filter((at) => allowed.has(at)), warning: cut ? `onlyCleanContent: ${cutText}; what it would have named after that is left.` : null }
}
