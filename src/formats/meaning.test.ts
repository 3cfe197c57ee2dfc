import { expect, it } from 'vitest'
import type { PageReading } from '../content/reading.ts'
import { summary } from './meaning.ts'

const made = (markdown: string): object => summary.run({ markdown: () => markdown } as PageReading, { type: 'summary' }) // what a summary reads

it('says of a summary without a sentence that there was none, instead of how its sentences were chosen', () => {
  const none = { summary: '', warning: 'summary: the page has no sentences to choose from (looked for without a language model).' }
  expect(made('```json\n{"a": 1}\n```\n')).toEqual(none)
  expect(made('')).toEqual(none)
  expect(made('The tide gauge at Ortland has been read every hour since 1894.')).toEqual({ summary: expect.stringContaining('Ortland'), warning: 'summary: sentences of the page, chosen without a language model.' })
})
