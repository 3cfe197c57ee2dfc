import { isOpen } from '../spec/json-schema.ts'

/** Warnings about formats made without a language model. */
export const noModel = {
  summary: 'summary: sentences of the page, chosen without a language model.',
  question: 'answer: the passage of the page that fits the question best, chosen without a language model.',
  highlights: 'highlights: passages ranked by their words, without a language model.',
  quotes: 'answer: passages ranked by their words, without a language model.',
  clean: 'onlyCleanContent: boilerplate was removed by rules, without a language model.',
} as const

/** The warning about a schema that names no properties; undefined for all others. */
export function openWarning(schema: Readonly<Record<string, unknown>> | undefined): string | undefined {
  if (schema === undefined || !isOpen(schema)) return undefined
  return 'json: the schema names nothing that is wanted; a Zod 4 schema comes out like that where a program for Zod 3 converts it, and z.toJSONSchema(schema) is what to send.'
}

/** The warning about a prompt that nobody read; undefined without a prompt. */
export const promptWarning = (prompt: string | undefined): string | undefined => (prompt === undefined ? undefined : 'json: made of the data of the page by the schema alone; the prompt was left aside.')

const most = 40

/** The warning of a format about values that could not be given, by JSON pointer; undefined when all could. */
export function missingWarning(missing: readonly string[], why: string, format = 'json'): string | undefined {
  if (missing.length === 0) return undefined
  const named = missing.slice(0, most).map((pointer) => (pointer === '' ? 'all of it' : pointer)).join(', ')
  return `${format}: ${why}: ${named}${missing.length > most ? ` and ${missing.length - most} more` : ''}.`
}
