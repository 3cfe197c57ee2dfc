import { escapeHtml } from '../lib/escape-html.ts'
import type { OpenApi } from './openapi.ts'

type Json = Record<string, unknown>

const escape = (text: unknown): string => escapeHtml(String(text ?? ''))
/** A text of the interface, with backticks turned into code. */
const prose = (text: unknown): string => escape(text).replace(/`([^`]+)`/g, '<code>$1</code>')

const style = `
:root{color-scheme:light dark;--line:color-mix(in srgb,currentColor 18%,transparent);--soft:color-mix(in srgb,currentColor 6%,transparent)}
body{font:15px/1.55 system-ui,sans-serif;max-width:64rem;margin:0 auto;padding:2rem 1.25rem}
h1{font-size:1.7rem;margin:0}h2{font-size:1.15rem;margin:2.5rem 0 .25rem}h3{font-size:.95rem;margin:1.25rem 0 .25rem}h3 code{font-size:inherit}
code,pre{font:13px/1.5 ui-monospace,monospace}pre{background:var(--soft);padding:.75rem 1rem;overflow:auto;border-radius:6px}
.method{display:inline-block;min-width:4.6em;font-weight:600}
table{border-collapse:collapse;width:100%;font-size:.9rem}td,th{text-align:left;vertical-align:top;padding:.35rem .75rem .35rem 0;border-top:1px solid var(--line)}
td:first-child{white-space:nowrap}.muted{opacity:.7}details{margin:.5rem 0}summary{cursor:pointer}
nav ul{columns:21rem;padding:0;list-style:none}section{border-top:1px solid var(--line)}`

function kindOf(schema: Json): string {
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

function bounds(schema: Json): string {
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
  const head = type === undefined ? '' : `<h3>${kindOf(type)}</h3>`
  const meaning = schema['description'] === undefined ? '' : `<p>${prose(schema['description'])}</p>`
  return `${head}${meaning}${rows.length === 0 ? '' : tableOf(rows)}`
}

function schemaPart(schema: Json): string {
  const choices = choicesOf(schema)
  const objects = choices.filter((choice) => choice['properties'] !== undefined)
  const names = choices.filter((choice) => choice['properties'] === undefined)
  if (objects.length === 0) return `<p>${kindOf(schema)}</p>`
  if (objects.length === choices.length && choices.length === 1) return tableOf(rowsOf(schema))
  const start = names.length === 0 ? 'One of these objects:' : `${names.map(kindOf).join(' | ')}, or an object:`
  return `<p>${start}</p>${objects.map(objectPart).join('')}`
}

interface Operation {
  readonly summary: string
  readonly parameters?: readonly { name: string; in: string; required: boolean; schema: Json; description?: string }[]
  readonly requestBody?: { content: Record<string, { schema: Json }> }
  readonly responses: Record<string, { description: string; content?: Record<string, { schema?: Json }> }>
}

function operationPart(path: string, method: string, operation: Operation): string {
  const parameters = (operation.parameters ?? []).map((p) => `<tr><td><code>${escape(p.name)}</code> <span class="muted">${escape(p.in)}${p.required ? ', required' : ''}</span></td><td>${kindOf(p.schema)}${bounds(p.schema)}</td><td>${prose(p.description ?? p.schema['description'])}</td></tr>`)
  const body = Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => `<h3>Body</h3><p>${kindOf(schema)}</p>`)
  const answers = Object.entries(operation.responses).map(([status, answer]) => {
    const [media = '', { schema } = {}] = Object.entries(answer.content ?? {})[0] ?? []
    return `<tr><td><code>${escape(status)}</code></td><td>${schema === undefined ? escape(media) : kindOf(schema)}</td><td>${prose(answer.description).replaceAll('\n\n', '<br>')}</td></tr>`
  })
  return [
    `<section id="${escape(`${method}-${path}`)}"><h2><span class="method">${escape(method.toUpperCase())}</span> <code>${escape(path)}</code></h2><p>${prose(operation.summary)}</p>`,
    parameters.length === 0 ? '' : `<h3>Parameters</h3><table>${parameters.join('')}</table>`,
    ...body,
    `<details><summary>Answers</summary><table>${answers.join('')}</table></details></section>`,
  ].join('')
}

/** The interface as one page, without scripts or external resources. */
export function docsPage(api: OpenApi): string {
  const all = Object.entries(api.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation: operation as unknown as Operation }))) // made by openApi() in this form
  const index = all.map(({ path, method }) => `<li><a href="#${escape(`${method}-${path}`)}"><span class="method">${escape(method.toUpperCase())}</span> <code>${escape(path)}</code></a></li>`)
  const operations = all.map(({ path, method, operation }) => operationPart(path, method, operation))
  const schemas = Object.entries(api.components.schemas).map(([name, schema]) => `<section id="schema-${escape(name)}"><h2>${escape(name)}</h2>${schemaPart(schema)}</section>`)
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(api.info.title)} API</title><style>${style}</style></head><body>`,
    `<h1>${escape(api.info.title)} API <span class="muted">${escape(api.info.version)}</span></h1><p>${escape(api.info.description)} Send the key as <code>Authorization: Bearer &lt;key&gt;</code>. Machine-readable: <a href="/openapi.json">openapi.json</a>.</p>`,
    `<nav><ul>${index.join('')}</ul></nav>`,
    ...operations,
    `<h1 style="margin-top:3rem">Schemas</h1>`,
    ...schemas,
    '</body></html>',
  ].join('\n')
}
