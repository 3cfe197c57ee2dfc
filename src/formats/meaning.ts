import type { PageReading } from '../content/reading.ts'
import { best } from '../content/passages/rank.ts'
import { extractiveSummary } from '../content/passages/summary.ts'
import type { Contribution } from '../domain/pages/derivation.ts'
import type { FormatOf } from '../spec/formats.ts'
import { fillFromData } from './fill/data.ts'
import { type Fill, fill } from './fill/index.ts'
import type { FormatHandler } from './format.ts'
import { groundingOf } from './grounding.ts'
import { missingWarning, noModel, openWarning, promptWarning } from './warnings.ts'

/** The number of passages in `highlights`. */
const highlightCount = 3

const nothing: Fill = { value: null, sources: {}, missing: [''] }

/** Fills a schema from the page's own data. Without a schema nothing is filled: only a model could. */
export function filled(reading: PageReading, { schema }: Pick<FormatOf<'json'>, 'schema'>): Fill {
  const facts = reading.facts()
  if (schema === undefined) return nothing
  return facts === null ? { ...fillFromData(schema, reading.data()), sources: {} } : fill(schema, facts)
}

/** The contribution made from a fill, with its warnings. */
export function jsonOf({ value, missing }: Fill, options: FormatOf<'json'>, markdown: () => string): Contribution {
  const warning = [openWarning(options.schema), options.schema === undefined ? undefined : promptWarning(options.prompt), missingWarning(missing, 'not proven by the data of the page, hence null')].filter((one) => one !== undefined).join(' ')
  return { json: value, ...(options.grounding ? { grounding: groundingOf(value, markdown()) } : {}), ...(warning === '' ? {} : { warning }) }
}

function passagesFor(reading: PageReading, query: string, count: number): { readonly text: string; readonly none: string | null } {
  const found = best(reading.markdown(), query, count)
  return { text: found.map((passage) => passage.text).join('\n\n'), none: found.length === 0 ? 'no passage of the page has words of it (looked for without a language model).' : null }
}

function answered(reading: PageReading, query: string): Contribution {
  const { text, none } = passagesFor(reading, query, 1)
  return { answer: text, warning: none === null ? noModel.question : `answer: ${none}` }
}

export const json: FormatHandler<'json'> = {
  needs: [],
  run: (reading, options) => jsonOf(filled(reading, options), options, reading.markdown),
}

export const summary: FormatHandler<'summary'> = {
  needs: [],
  run(reading) {
    const text = extractiveSummary(reading.markdown())
    return { summary: text, warning: text === '' ? 'summary: the page has no sentences to choose from (looked for without a language model).' : noModel.summary }
  },
}

export const question: FormatHandler<'question'> = {
  needs: [],
  run: (reading, options) => answered(reading, options.question),
}

export const highlights: FormatHandler<'highlights'> = {
  needs: [],
  run(reading, { query }) {
    const { text, none } = passagesFor(reading, query, highlightCount)
    return { highlights: text, warning: none === null ? noModel.highlights : `highlights: ${none}` }
  },
}

/** The older form of `question` and `highlights`: its result is always in `answer`. */
export const query: FormatHandler<'query'> = {
  needs: [],
  run(reading, { prompt, mode }) {
    if (mode === 'freeform') return answered(reading, prompt)
    const { text, none } = passagesFor(reading, prompt, highlightCount)
    return { answer: text, warning: none === null ? noModel.quotes : `answer: ${none}` }
  },
}
