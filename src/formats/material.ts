import type { PageReading } from '../content/reading.ts'
import type { Contribution, DeriveOrder, Material } from '../domain/pages/derivation.ts'
import type { FormatType } from '../spec/formats.ts'
import { filled, highlights, jsonOf, query, question, summary } from './meaning.ts'
import { tracksFields } from './tracking.ts'

/** Formats that a language model improves. */
const modelled: ReadonlySet<FormatType> = new Set(['json', 'summary', 'question', 'highlights', 'query'])

export const isModelled = (type: FormatType): boolean => modelled.has(type)

/** Longer texts are cut: no model can read them as a whole, and reading them in parts takes too long. */
const maxText = 600_000

/** The part of a page that a language model is given, and what each format contains without a model. */
export function materialOf(reading: PageReading, { formats }: DeriveOrder): Material {
  const fallback: Record<string, Contribution> = {}
  let draft: Material['draft'] = null
  for (const format of formats) {
    if (format.type === 'json') {
      const made = filled(reading, format)
      draft = made
      fallback[format.type] = jsonOf(made, format, reading.markdown)
    }
    if (format.type === 'summary') fallback[format.type] = summary.run(reading, format)
    if (format.type === 'question') fallback[format.type] = question.run(reading, format)
    if (format.type === 'highlights') fallback[format.type] = highlights.run(reading, format)
    if (format.type === 'query') fallback[format.type] = query.run(reading, format)
  }
  const { title } = reading.metadata()
  return {
    text: reading.seenMarkdown().slice(0, maxText),
    cut: reading.seenMarkdown().length > maxText,
    title: typeof title === 'string' ? title : '',
    urls: formats.some((format) => format.type === 'json' || tracksFields(format)) ? [reading.capture.url, ...reading.links(), ...reading.images()].slice(0, 5_000) : [],
    draft,
    fallback,
  }
}
