import type { OpenApi } from '../openapi.ts'
import { curlOf } from './curl.ts'
import { bounds, escape, type Json, kindOf, prose, schemaPart } from './schema.ts'

const style = `
:root{color-scheme:light dark;--line:color-mix(in srgb,currentColor 18%,transparent);--soft:color-mix(in srgb,currentColor 6%,transparent)}
body{font:15px/1.55 system-ui,sans-serif;margin:0;display:grid;grid-template-columns:20rem minmax(0,56rem);gap:0 3rem}
nav{position:sticky;top:0;height:100vh;overflow:auto;box-sizing:border-box;padding:2rem 0 2rem 1.25rem;border-right:1px solid var(--line);font-size:.85rem}
nav h2{font-size:.85rem;margin:1.1rem 0 .2rem}nav ul{padding:0;margin:0;list-style:none}nav code{font-size:11.5px}nav .method{min-width:4.2em;font-size:.7rem}
nav a{text-decoration:none;color:inherit}nav a:hover{text-decoration:underline}
main{padding:2rem 1.25rem 4rem 0;min-width:0}
h1{font-size:1.7rem;margin:0}h2{font-size:1.35rem;margin:3rem 0 .25rem}h3{font-size:1.1rem;margin:2rem 0 .25rem}h4{font-size:.95rem;margin:1.25rem 0 .25rem}h4 code{font-size:inherit}
code,pre{font:13px/1.5 ui-monospace,monospace}pre{background:var(--soft);padding:.75rem 1rem;overflow:auto;border-radius:6px;margin:.25rem 0 .75rem;white-space:pre-wrap;overflow-wrap:anywhere}
.method{display:inline-block;min-width:4.6em;font-weight:600}
table{border-collapse:collapse;width:100%;font-size:.9rem}td,th{text-align:left;vertical-align:top;padding:.35rem .75rem .35rem 0;border-top:1px solid var(--line);overflow-wrap:anywhere}
td:first-child{white-space:nowrap}.muted{opacity:.7}details{margin:.5rem 0}summary{cursor:pointer}section{border-top:1px solid var(--line)}
@media(max-width:60rem){body{display:block;padding:0 1.25rem}main{padding-right:0}nav{position:static;height:auto;border:0;padding:1rem 0 0;columns:16rem}td:first-child{white-space:normal;min-width:6em}}`

type Content = Record<string, { readonly schema: Json; readonly examples?: Record<string, { readonly summary: string; readonly value: unknown }> }>

interface Operation {
  readonly tags: readonly string[]
  readonly summary: string
  readonly parameters?: readonly { name: string; in: string; required: boolean; schema: Json; description?: string }[]
  readonly requestBody?: { content: Content }
  readonly responses: Record<string, { description: string; content?: Record<string, { schema?: Json }> }>
}

interface Placed {
  readonly path: string
  readonly method: string
  readonly operation: Operation
}

const idOf = ({ path, method }: Placed): string => escape(`${method}-${path}`)
const nameOf = ({ path, method }: Placed): string => `<span class="method">${escape(method.toUpperCase())}</span> <code>${escape(path)}</code>`

/** Commands for a shell: the first in sight, the others to unfold. */
function examplesPart(path: string, content: Content): string {
  const all = Object.entries(content).flatMap(([media, { examples = {} }]) => Object.values(examples).map(({ summary, value }) => ({ summary, command: curlOf(path, { media, value }) })))
  const [first, ...others] = all.map(({ summary, command }) => `<p>${prose(summary)}:</p><pre>${escape(command)}</pre>`)
  if (first === undefined) return ''
  return `<h4>Example</h4>${first}${others.length === 0 ? '' : `<details><summary>More examples</summary>${others.join('')}</details>`}`
}

function answerRow([status, answer]: [string, Operation['responses'][string]]): string {
  const [media = '', { schema } = {}] = Object.entries(answer.content ?? {})[0] ?? []
  return `<tr><td><code>${escape(status)}</code></td><td>${schema === undefined ? escape(media) : kindOf(schema)}</td><td>${prose(answer.description).replaceAll('\n\n', '<br>')}</td></tr>`
}

function operationPart(placed: Placed): string {
  const { path, operation } = placed
  const parameters = (operation.parameters ?? []).map((p) => `<tr><td><code>${escape(p.name)}</code> <span class="muted">${escape(p.in)}${p.required ? ', required' : ''}</span></td><td>${kindOf(p.schema)}${bounds(p.schema)}</td><td>${prose(p.description ?? p.schema['description'])}</td></tr>`)
  const content = operation.requestBody?.content ?? {}
  const body = Object.values(content).map(({ schema }) => `<h4>Body</h4><p>${kindOf(schema)}</p>`)
  const [answer = '', ...errors] = Object.entries(operation.responses).map(answerRow)
  return [
    `<section id="${idOf(placed)}"><h3>${nameOf(placed)}</h3><p>${prose(operation.summary)}</p>`,
    parameters.length === 0 ? '' : `<h4>Parameters</h4><table>${parameters.join('')}</table>`,
    ...body,
    examplesPart(path, content),
    `<h4>Answer</h4><table>${answer}</table><details><summary>Errors</summary><table>${errors.join('')}</table></details></section>`,
  ].join('')
}

/** The interface as one page, without scripts or external resources. */
export function docsPage(api: OpenApi): string {
  const all = Object.entries(api.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation: operation as unknown as Operation }))) // made by openApi() in this form
  const areas = api.tags.map(({ name, description }) => ({ name, description, placed: all.filter(({ operation }) => operation.tags.includes(name)) }))
  const index = areas.map(({ name, placed }) => `<h2>${escape(name)}</h2><ul>${placed.map((one) => `<li><a href="#${idOf(one)}" title="${escape(one.operation.summary.replaceAll('`', ''))}">${nameOf(one)}</a></li>`).join('')}</ul>`)
  const operations = areas.map(({ name, description, placed }) => `<h2>${escape(name)}</h2><p>${prose(description)}</p>${placed.map(operationPart).join('')}`)
  const schemas = Object.entries(api.components.schemas).map(([name, schema]) => `<section id="schema-${escape(name)}"><h3>${escape(name)}</h3>${schemaPart(schema)}</section>`)
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(api.info.title)} API</title><style>${style}</style></head><body>`,
    `<nav>${index.join('')}<h2><a href="#schemas">Schemas</a></h2></nav><main>`,
    `<h1>${escape(api.info.title)} API <span class="muted">${escape(api.info.version)}</span></h1><p>${escape(api.info.description)} Send the key as <code>Authorization: Bearer &lt;key&gt;</code>. In the examples <code>TRAWL</code> is the address of the service and <code>KEY</code> the key. Machine-readable: <a href="/openapi.json">openapi.json</a>.</p>`,
    ...operations,
    '<h2 id="schemas">Schemas</h2>',
    ...schemas,
    '</main></body></html>',
  ].join('\n')
}
