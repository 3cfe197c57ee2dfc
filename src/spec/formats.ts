import { z } from 'zod'
import { schemaFault } from './json-schema.ts'
import { limits } from './limits.ts'

const prompt = z.string().min(1).max(limits.promptLength)
const jsonSchema = z
  .record(z.string(), z.unknown())
  .superRefine((schema, context) => {
    const fault = schemaFault(schema)
    if (fault !== null) context.addIssue({ code: 'custom', message: `Invalid schema: ${fault}` })
  })
  .describe('JSON Schema of the wanted object; references within it only.')

const viewport = z
  .strictObject({
    width: z.int().min(1).max(limits.viewportWidth),
    height: z.int().min(1).max(limits.viewportHeight),
  })
  .describe('Pixels.')

const jsonOptions = {
  schema: jsonSchema.optional(),
  prompt: prompt.optional(),
  checkPromptInjection: z.boolean().optional(),
  grounding: z.boolean().default(false).describe('Return, per JSON pointer, the place in the markdown that proves the value.'),
}

const bare = <T extends string>(type: T) => z.strictObject({ type: z.literal(type) })

/** One object form per format; the key is the `type`. */
export const formatObjects = {
  markdown: bare('markdown'),
  html: bare('html'),
  rawHtml: bare('rawHtml'),
  links: bare('links'),
  images: bare('images'),
  summary: bare('summary'),
  branding: bare('branding'),
  product: bare('product'),
  menu: bare('menu'),
  audio: bare('audio'),
  video: bare('video'),
  attributes: z.strictObject({
    type: z.literal('attributes'),
    selectors: z
      .array(
        z.strictObject({
          selector: z.string().min(1).max(limits.selectorLength).describe('CSS selector.'),
          attribute: z.string().min(1).max(100),
        }),
      )
      .min(1)
      .max(limits.selectors),
  }),
  screenshot: z.object({
    type: z.literal('screenshot'),
    fullPage: z.boolean().default(false),
    quality: z.int().min(1).max(100).optional().describe('Given: JPEG of that quality; absent: PNG.'),
    viewport: viewport.optional(),
  }),
  json: z.strictObject({ type: z.literal('json'), ...jsonOptions }),
  deterministicJson: z.strictObject({ type: z.literal('deterministicJson'), schema: jsonSchema.optional(), prompt: prompt.optional() }),
  changeTracking: z.strictObject({
    type: z.literal('changeTracking'),
    modes: z.array(z.enum(['git-diff', 'json'])).max(10).default([]).describe('What to say of a page that changed: `git-diff` its lines, `json` its fields.'),
    schema: jsonSchema.optional().describe('Of mode json: the fields; as in the format json.'),
    prompt: prompt.optional().describe('Of mode json: what to look for, in words.'),
    tag: z.string().min(1).max(limits.tagLength).optional().describe('Versions under a tag are apart from those without, and under others.'),
  }),
  question: z.strictObject({ type: z.literal('question'), question: prompt }),
  highlights: z.strictObject({ type: z.literal('highlights'), query: prompt }),
  query: z.strictObject({ type: z.literal('query'), prompt, mode: z.enum(['freeform', 'directQuote']).default('freeform') }),
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

/** Formats whose bare string form says everything. */
const stringForms = [
  'markdown', 'html', 'rawHtml', 'links', 'images', 'summary', 'branding', 'product', 'menu', 'audio', 'video',
  'screenshot', 'json', 'deterministicJson', 'changeTracking', 'screenshot@fullPage', 'extract',
] as const

const isAlias = (name: string): name is keyof typeof formatAliases => Object.hasOwn(formatAliases, name)

const FormatObject = z.discriminatedUnion('type', [
  formatObjects.markdown, formatObjects.html, formatObjects.rawHtml, formatObjects.links, formatObjects.images, formatObjects.summary,
  formatObjects.branding, formatObjects.product, formatObjects.menu, formatObjects.audio, formatObjects.video, formatObjects.attributes,
  formatObjects.screenshot, formatObjects.json, formatObjects.deterministicJson, formatObjects.changeTracking, formatObjects.question,
  formatObjects.highlights, formatObjects.query,
  z.strictObject({ type: z.literal('extract'), ...jsonOptions }),
])

/** What to tell who gives by name alone a format that is nothing without its options. */
function lacksOptions(name: unknown): string | undefined {
  if (typeof name !== 'string' || !Object.hasOwn(formatObjects, name)) return undefined
  const { shape } = formatObjects[name as FormatType] // looked up above
  const needed = Object.entries<z.ZodType>(shape).filter(([key, value]) => key !== 'type' && !value.safeParse(undefined).success)
  return `The format "${name}" takes options: give {"type": "${name}", ${needed.map(([key]) => `"${key}": …`).join(', ')}}`
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

/** One format of each type, the last of a type wins; order of first mention is kept. */
export function uniqueFormats(formats: readonly Format[]): readonly Format[] {
  return [...new Map(formats.map((format) => [format.type, format])).values()]
}
