import { boilerplateOf, withoutBlocks } from '../../content/passages/boilerplate.ts'
import { type Block, blocksOf } from '../../content/passages/blocks.ts'
import type { Contribution, TrackedFields } from '../../domain/pages/derivation.ts'
import { pack, unpack } from '../../domain/pages/packed.ts'
import { tokensOf } from '../../lib/tokens.ts'
import type { FormatType } from '../../spec/formats.ts'
import { groundingOf } from '../grounding.ts'

/** A page's markdown as it is shown to a model that is to find boilerplate. */
export interface Numbered {
  /** Tokens of the whole markdown; null when the page has none. */
  readonly tokens: number | null
  /** The blocks that may be removed, with their indices. */
  readonly shown: readonly { readonly at: number; readonly text: string }[]
}

/** Whether a model may remove a block: not code, tables, pictures or the first heading. */
function mayGo(block: Block, at: number, firstHeading: number): boolean {
  if (block.kind === 'code' || block.kind === 'table' || block.kind === 'image') return false
  return block.kind !== 'heading' || at !== firstHeading
}

const markdownOf = (bytes: Uint8Array): string | undefined => unpack(bytes).fields().markdown

/**
 * Numbers the blocks of a packed page's markdown, without those that a person would not see. Shows none when the markdown
 * has more tokens than `limit`.
 */
export function numbered({ bytes, seen, limit }: { readonly bytes: Uint8Array; readonly seen: string; readonly limit: number }): Numbered {
  const markdown = markdownOf(bytes)
  const tokens = markdown === undefined ? null : tokensOf(markdown)
  if (markdown === undefined || tokens === null || tokens > limit) return { tokens, shown: [] }
  const blocks = blocksOf(markdown)
  const visible = new Set(blocksOf(seen).map(({ text }) => text))
  const firstHeading = blocks.findIndex(({ kind }) => kind === 'heading')
  return { tokens, shown: blocks.flatMap((block, at) => (mayGo(block, at, firstHeading) && (visible.size === 0 || visible.has(block.text)) ? [{ at, text: block.text }] : [])) }
}

/** What is boilerplate: the blocks that a model named, or whatever rules find. */
export type Boilerplate = readonly number[] | 'by-rules'

/** A page, and what models made from it. */
export interface Assembly {
  /** Packed, with the material for models. */
  readonly bytes: Uint8Array
  readonly parts: readonly Contribution[]
  readonly clean: Boilerplate | null
  /** Whether the markdown is that of the main content or of the whole page. */
  readonly part: 'content' | 'page'
  /** Whether the positions of JSON values in the markdown are wanted. */
  readonly grounds: boolean
  readonly passing: boolean
  /** Formats that could not be made. */
  readonly without: readonly FormatType[]
  /** The fields that change tracking compares, if it does. */
  readonly tracked?: TrackedFields | undefined
  /** Whether rules replaced a model. */
  readonly saved: boolean
}

/**
 * No page has a larger share of boilerplate: a model that says so is wrong. Once the main content was extracted, much less
 * is left.
 */
const mostShare = { content: 0.5, page: 0.9 } as const
const tooMuch = 'onlyCleanContent: the language model wanted most of the page removed; it was left as it is.'

function tidied(markdown: string, clean: Boilerplate, part: keyof typeof mostShare): Contribution {
  const blocks = blocksOf(markdown)
  const gone = clean === 'by-rules' ? boilerplateOf(blocks) : new Set(clean)
  if (clean === 'by-rules') return gone.size === blocks.length ? {} : { markdown: withoutBlocks(markdown, blocks, gone) }
  const removed = [...gone].reduce((sum, at) => sum + (blocks[at]?.text.length ?? 0), 0)
  const all = blocks.reduce((sum, { text }) => sum + text.length, 0)
  return removed > all * mostShare[part] ? { warning: tooMuch } : { markdown: withoutBlocks(markdown, blocks, gone) }
}

/** Adds what models made to the page, and packs it. */
export function assembled({ bytes, parts, clean, part, grounds, passing, without, saved, tracked }: Assembly): Uint8Array {
  const page = unpack(bytes)
  const { formatWarning, material: _material, ...facts } = page.facts
  const fields = page.fields()
  const tidy = clean === null || fields.markdown === undefined ? {} : tidied(fields.markdown, clean, part)
  const all: Contribution[] = [{ ...fields, ...(formatWarning === undefined ? {} : { warning: formatWarning }) }, tidy, ...parts]
  const warning = all.flatMap((part) => part.warning ?? []).join(' ')
  const whole: Contribution = { ...Object.assign({}, ...all), ...(warning === '' ? {} : { warning }) }
  const grounding = grounds ? { grounding: groundingOf(whole.json, whole.markdown ?? '') } : {}
  return pack({ ...facts, fields: { ...whole, ...grounding }, ...(tracked === undefined ? {} : { tracked }), ...(passing ? { passing: true } : {}), ...(without.length > 0 ? { without } : {}), ...(saved ? { modelCallSaved: true } : {}) }).bytes()
}
