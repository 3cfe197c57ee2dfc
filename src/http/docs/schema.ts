import { escapeHtml } from '../../lib/escape-html.ts'

export type Json = Record<string, unknown>

export const escape = (text: unknown): string => escapeHtml(String(text ?? ''))
/** A text of the interface, with backticks turned into code. */
export const prose = (text: unknown): string => escape(text).replace(/`([^`]+)`/g, '<code>$1</code>')

/** The type of a value: a link if it has a name. */
export function kindOf(schema: Json): string {
  if (typeof schema['$ref'] === 'string') return link(schema['$ref'])
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => `<code>${escape(value)}</code>`).join(' | ')
  if (schema['const'] !== undefined) return `<code>${escape(schema['const'])}</code>`
  const choices = schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf']
  if (Array.isArray(choices)) return choices.map((choice: Json) => kindOf(choice)).join(' | ')
  if (schema['type'] === 'array') return `list of ${kindOf((schema['items'] ?? {}) as Json)}` // items of a list is a schema
  if (schema['type'] === 'object' && schema['properties'] !== undefined) return `{ ${Object.entries(schema['properties'] as Record<string, Json>).map(([key, value]) => `${escape(key)}: ${kindOf(value)}`).join(', ')} }` // properties are schemas
  return escape(schema['type'] ?? 'any')
}

const link = (ref: string): string => `<a href="#schema-${escape(ref.split('/').pop())}">${escape(ref.split('/').pop())}</a>`

/** Limits and default of a value. */
export function bounds(schema: Json): string {
  const parts = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'].flatMap((key) => (schema[key] === undefined || Math.abs(Number(schema[key])) === Number.MAX_SAFE_INTEGER ? [] : [`${key} ${escape(schema[key])}`]))
  if (schema['default'] !== undefined) parts.push(`default <code>${escape(JSON.stringify(schema['default']))}</code>`)
  return parts.length === 0 ? '' : ` <span class="muted">(${parts.join(', ')})</span>`
}

const propertiesOf = (schema: Json): Record<string, Json> => (schema['properties'] ?? {}) as Record<string, Json> // an object schema

function rowsOf(schema: Json): string[] {
  const required = new Set((schema['required'] ?? []) as string[]) // names of properties
  return Object.entries(propertiesOf(schema)).map(([key, value]) => {
    const star = required.has(key) ? ' <span class="muted">required</span>' : ''
    return `<tr><td><code>${escape(key)}</code>${star}</td><td>${kindOf(value)}${bounds(value)}</td><td>${prose(value['description'])}</td></tr>`
  })
}

const tableOf = (rows: readonly string[]): string => `<table><tr><th>Field</th><th>Type</th><th>Meaning</th></tr>${rows.join('')}</table>`

function choicesOf(schema: Json): Json[] {
  const choices = schema['anyOf'] ?? schema['oneOf']
  return Array.isArray(choices) ? choices.flatMap(choicesOf) : [schema]
}

/** One of several object types: its `type`, the meaning, and its options. */
function objectPart(schema: Json): string {
  const { type, ...options } = propertiesOf(schema)
  const rows = rowsOf(type === undefined ? schema : { ...schema, properties: options })
  const head = type === undefined ? '' : `<h4>${kindOf(type)}</h4>`
  const meaning = schema['description'] === undefined ? '' : `<p>${prose(schema['description'])}</p>`
  return `${head}${meaning}${rows.length === 0 ? '' : tableOf(rows)}`
}

/** A named type with its fields. */
export function schemaPart(schema: Json): string {
  const choices = choicesOf(schema)
  const objects = choices.filter((choice) => choice['properties'] !== undefined)
  const names = choices.filter((choice) => choice['properties'] === undefined)
  if (objects.length === 0) return `<p>${kindOf(schema)}</p>`
  if (objects.length === choices.length && choices.length === 1) return tableOf(rowsOf(schema))
  const start = names.length === 0 ? 'One of these objects:' : `${names.map(kindOf).join(' | ')}, or an object:`
  return `<p>${start}</p>${objects.map(objectPart).join('')}`
}
