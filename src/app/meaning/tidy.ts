import { boilerplateOf, withoutBlocks } from '../../content/boilerplate.ts'
import { type Block, blocksOf } from '../../content/passages/blocks.ts'
import { faultText, type ModelFault } from '../../domain/model.ts'
import { noModel } from '../../formats/warnings.ts'
import { tokensOf } from '../../lib/tokens.ts'
import { askJson, type Asking } from './asking.ts'
import { fenced, rules } from './fence.ts'

const system = `You find what is not content in the markdown of a web page: cookie banners, advertisements, share buttons, breadcrumbs, newsletter forms, comment sections, lists of related articles, navigation. ${rules}
The blocks are numbered. Answer with {"delete": […]}: the numbers of the blocks that are wholly such boilerplate. When in doubt keep the block; an empty list is a good answer.`
const schema = { type: 'object', properties: { delete: { type: 'array', items: { type: 'integer' } } }, required: ['delete'] }
/** No page has more boilerplate than this after its main content was found: a model that says so is wrong. */
const mostShare = 0.5

/** A markdown text without its boilerplate, and what is to be said of that. */
export interface Tidied {
  readonly markdown: string
  readonly warning: string | null
  readonly fault: ModelFault | null
}

/** What survives whatever a model says: code, tables, pictures and the first heading. */
function mayGo(block: Block, at: number, blocks: readonly Block[]): boolean {
  if (block.kind === 'code' || block.kind === 'table' || block.kind === 'image') return false
  return block.kind !== 'heading' || blocks.findIndex(({ kind }) => kind === 'heading') !== at
}

function byRules(markdown: string, blocks: readonly Block[], fault: ModelFault): Tidied {
  const gone = boilerplateOf(blocks)
  return { markdown: gone.size === blocks.length ? markdown : withoutBlocks(markdown, blocks, gone), warning: `onlyCleanContent: ${faultText[fault]}. ${noModel.clean}`, fault }
}

/** Removes boilerplate by a model that may only name blocks to delete (contract §15.17); what exceeds its limits stays as it is. */
export async function tidied(markdown: string, asking: Asking): Promise<Tidied> {
  const { limits } = asking.model
  const size = tokensOf(markdown)
  if (size > limits.output || size + tokensOf(system) + 500 > limits.input) {
    return { markdown, warning: 'onlyCleanContent: the markdown exceeds the limit of the language model; it was left as it is.', fault: null }
  }
  const blocks = blocksOf(markdown)
  // What a person would not see is not shown to the model either; it stays where it is.
  const seen = new Set(blocksOf(asking.material.text).map(({ text }) => text))
  const shown = blocks.map((block, at) => ({ block, at })).filter(({ block, at }) => mayGo(block, at, blocks) && (seen.size === 0 || seen.has(block.text)))
  if (shown.length === 0) return { markdown, warning: null, fault: null }
  const answer = await askJson({ purpose: 'clean', system, prompt: fenced(shown.map(({ block, at }) => `[${at + 1}] ${block.text}`).join('\n\n')), schema }, asking)
  if (!answer.ok) return byRules(markdown, blocks, answer.fault)
  const { value } = answer
  const list: readonly unknown[] = typeof value === 'object' && value !== null && 'delete' in value && Array.isArray(value.delete) ? value.delete : []
  const allowed = new Set(shown.map(({ at }) => at))
  const gone = new Set(list.map((number) => Number(number) - 1).filter((at) => allowed.has(at)))
  const removed = [...gone].reduce((sum, at) => sum + (blocks[at]?.text.length ?? 0), 0)
  const all = blocks.reduce((sum, { text }) => sum + text.length, 0)
  if (removed > all * mostShare) return { markdown, warning: 'onlyCleanContent: the language model wanted most of the page removed; it was left as it is.', fault: null }
  return { markdown: withoutBlocks(markdown, blocks, gone), warning: null, fault: null }
}
