import { afterBlankLines } from '../../lib/after-blank-lines.ts'
import { fenced } from '../markdown/elements/code.ts'
import { parsed } from '../structured/structured-data.ts'
import { csvObjects, csvTable } from './csv.ts'
import { type Feed, feedMarkdown, feedOf } from './feed.ts'
import { notebookMarkdown } from './notebook.ts'

/** Languages of code fences, by media type. */
const languages: readonly (readonly [pattern: RegExp, language: string])[] = [
  [/^(?:application|text)\/(?:[\w.+-]+\+)?(?:json|json5|x-ndjson|ndjson|jsonlines)$/, 'json'],
  [/^(?:application|text)\/(?:x-)?(?:javascript|ecmascript)$/, 'javascript'],
  [/^(?:application|text)\/(?:x-)?typescript$/, 'typescript'],
  [/^text\/css$/, 'css'],
  [/^(?:application|text|image)\/(?:[\w.-]+\+)?xml(?:-dtd)?$/, 'xml'],
  [/^(?:application|text)\/(?:x-)?(?:yaml|yml)$/, 'yaml'],
  [/^(?:application|text)\/(?:x-)?toml$/, 'toml'],
  [/^(?:application|text)\/(?:x-)?sql$/, 'sql'],
  [/^(?:application|text)\/(?:x-)?(?:sh|shellscript)$/, 'sh'],
  [/^text\/x-(?:script\.)?python$/, 'python'],
]

/** What else is known of a text body. */
export interface PlainOptions {
  /** The feed in the text, if it is read elsewhere too. */
  readonly feed?: () => Feed | null
  readonly removeBase64Images?: boolean
}

/**
 * A text body that is not a page, as markdown: prose as it is, data and code in a fence with its language, feeds,
 * notebooks and comma-separated values in a readable form. Null when the media type is not text.
 */
export function markdownOfType(text: string, mediaType: string, { feed: feedIn = () => feedOf(text), removeBase64Images = true }: PlainOptions = {}): string | null {
  const type = mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const language = languages.find(([pattern]) => pattern.test(type))?.[1]
  const feed = language === 'xml' ? feedIn() : null
  if (feed !== null) return feedMarkdown(feed, removeBase64Images)
  const notebook = language === 'json' ? notebookMarkdown(text) : null
  if (notebook !== null) return notebook
  if (language !== undefined) return fence(text, language)
  if (isTable(type)) return csvTable(text, separators[type]) ?? fence(text, '')
  return type.startsWith('text/') || type === '' ? verbatim(text) : null
}

/** The data that a text is, if it is JSON or a table; undefined for any other text. */
export function dataOf(text: string, isJson: boolean, mediaType: string): unknown {
  if (isJson) return parsed(text)
  return isTable(mediaType) ? (csvObjects(text, separators[mediaType]) ?? undefined) : undefined
}

/** Types of text tables, with their separators if the type says which. What Excel opens and is no file of its own is text. */
const separators: Readonly<Record<string, string | undefined>> = { 'text/csv': undefined, 'text/tab-separated-values': '\t', 'application/vnd.ms-excel': undefined, 'application/excel': undefined }

/** Whether a text of that media type is a table: a value per field, separated by commas, tabs or the like. */
export function isTable(mediaType: string): boolean {
  return Object.hasOwn(separators, mediaType)
}

/** Text as it is, ending in one newline. */
export function verbatim(text: string): string {
  const body = tidy(text).trimEnd()
  return body === '' ? '' : `${body}\n`
}

function fence(text: string, language: string): string {
  const body = afterBlankLines(tidy(text)).trimEnd()
  return body === '' ? '' : `${fenced(body, language)}\n`
}

function tidy(text: string): string {
  return text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
}
