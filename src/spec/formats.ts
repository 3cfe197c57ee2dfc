import { z } from 'zod'
import { characters } from './common.ts'
import { schemaFault } from './json-schema.ts'
import { limits } from './limits.ts'
import { screenshotOptions } from './screenshot.ts'

const prompt = characters(limits.promptLength)
const jsonSchema = z
  .record(z.string(), z.unknown())
  .superRefine((schema, context) => {
    const fault = schemaFault(schema)
    if (fault !== null) context.addIssue({ code: 'custom', message: `Invalid schema: ${fault}` })
  })
  .describe('JSON Schema of the object to extract; references must stay within the schema.')

const jsonOptions = {
  schema: jsonSchema.optional(),
  prompt: prompt.optional().describe('What to extract, in words.'),
  checkPromptInjection: z.boolean().optional().describe('No effect; `true` is answered with a warning.'),
  grounding: z.boolean().default(false).describe('Return the place in the markdown that each value was taken from, by JSON pointer.'),
}

const bare = <T extends string>(type: T, meaning: string) => z.strictObject({ type: z.literal(type) }).describe(meaning)

/** One object form per format; the key is the `type`. */
export const formatObjects = {
  markdown: bare('markdown', 'The content as markdown.'),
  html: bare('html', 'The content as clean HTML.'),
  rawHtml: bare('rawHtml', 'The HTML of the whole page, as it was sent or rendered.'),
  links: bare('links', 'The links of the whole page.'),
  images: bare('images', 'The URLs of the images of the whole page.'),
  summary: bare('summary', 'A summary of the content.'),
  branding: bare('branding', 'Colors, fonts, logo and other traits of the design.'),
  product: bare('product', 'The product that the page sells, as structured data.'),
  menu: bare('menu', 'Not supported: left out with a warning; use `json`.'),
  audio: bare('audio', 'The audio of the page as a file.'),
  video: bare('video', 'The video of the page as a file.'),
  attributes: z
    .strictObject({
      type: z.literal('attributes'),
      selectors: z
        .array(
          z.strictObject({
            selector: z.string().min(1).max(limits.selectorLength).describe('CSS selector.'),
            attribute: z.string().min(1).max(100),
          }),
        )
        .min(1)
        .max(limits.selectors)
        .describe('Which attribute of which elements.'),
    })
    .describe('Values of HTML attributes.'),
  screenshot: z
    .object({
      type: z.literal('screenshot'),
      ...screenshotOptions,
    })
    .describe('A screenshot of the page.'),
  json: z.strictObject({ type: z.literal('json'), ...jsonOptions }).describe('Structured data, extracted from the page.'),
  deterministicJson: z
    .strictObject({ type: z.literal('deterministicJson'), schema: jsonSchema.optional(), prompt: prompt.optional() })
    .describe('Not supported: left out with a warning; use `json`.'),
  changeTracking: z
    .strictObject({
      type: z.literal('changeTracking'),
      modes: z.array(z.enum(['git-diff', 'json'])).max(10).default([]).describe('How changes are reported: `git-diff` by lines of markdown, `json` by fields.'),
      schema: jsonSchema.optional().describe('Mode `json`: the fields to compare, as in the `json` format.'),
      prompt: prompt.optional().describe('Mode `json`: what to extract and compare, in words.'),
      tag: z.string().min(1).max(limits.tagLength).optional().describe('Keeps a history of its own: versions are compared only with versions of the same tag.'),
    })
    .describe('What changed since the page was last scraped with this format.'),
  question: z.strictObject({ type: z.literal('question'), question: prompt }).describe('The answer to a question about the page.'),
  highlights: z.strictObject({ type: z.literal('highlights'), query: prompt }).describe('The passages of the page that fit a query, verbatim.'),
  query: z
    .strictObject({ type: z.literal('query'), prompt, mode: z.enum(['freeform', 'directQuote']).default('freeform').describe('`directQuote` answers with passages of the page, verbatim.') })
    .describe('The answer to a prompt about the page.'),
} as const

/** The `type` of a format. */
export type FormatType = keyof typeof formatObjects
/** A format as the service sees it: always the object form, defaults filled. */
export type FormatOf<T extends FormatType> = z.output<(typeof formatObjects)[T]>
export type Format = { [T in FormatType]: FormatOf<T> }[FormatType]

/** Other spellings that clients use, and what they mean (contract §12). */
const formatAliases = {
  'screenshot@fullPage': { type: 'screenshot', fullPage: true },
  extract: { type: 'json' },
} as const

const isAlias = (name: string): name is keyof typeof formatAliases => Object.hasOwn(formatAliases, name)

const formatTypes = Object.keys(formatObjects) as FormatType[] // keys of the table

/** The options without which a format means nothing. */
function neededOptions(type: FormatType): readonly string[] {
  const { type: _, ...options } = formatObjects[type].shape
  return Object.entries<z.ZodType>(options).filter(([, option]) => !option.safeParse(undefined).success).map(([key]) => key)
}

/** Formats whose name alone says everything. */
const stringForms = [...formatTypes.filter((type) => neededOptions(type).length === 0), ...(Object.keys(formatAliases) as (keyof typeof formatAliases)[])] // keys of the table

const { markdown, ...others } = formatObjects
const FormatObject = z.discriminatedUnion('type', [markdown, ...Object.values(others), z.strictObject({ type: z.literal('extract'), ...jsonOptions }).describe('Same as `json`.')])

/** What to tell who gives by name alone a format that is nothing without its options. */
function lacksOptions(name: unknown): string | undefined {
  const type = formatTypes.find((one) => one === name)
  return type && `The format "${type}" takes options: give {"type": "${type}", ${neededOptions(type).map((key) => `"${key}": …`).join(', ')}}`
}

/** String form to object form: aliases resolved, defaults filled. */
function objectForm(input: (typeof stringForms)[number] | z.output<typeof FormatObject>): Format {
  if (typeof input !== 'string') return input.type === 'extract' ? { ...input, type: 'json' } : input
  const object = isAlias(input) ? formatAliases[input] : { type: input }
  const parsed = FormatObject.parse(object)
  return parsed.type === 'extract' ? { ...parsed, type: 'json' } : parsed
}

/** One entry of `formats`: a string or an object. */
export const FormatInput = z.union([z.enum(stringForms, { error: ({ input }) => lacksOptions(input) }), FormatObject]).transform(objectForm).meta({ id: 'Format' })

/** The type that a format counts as, also under its older names: `query` fills `answer` as `question` does, `extract` is `json`. */
export const countedAs = (type: string): string => (type === 'query' ? 'question' : type === 'extract' ? 'json' : type)

/** One format of each type, the last of a type wins; order of first mention is kept. */
export function uniqueFormats(formats: readonly Format[]): readonly Format[] {
  return [...new Map(formats.map((format) => [countedAs(format.type), format])).values()]
}
