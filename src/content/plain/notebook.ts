import { isObject, type JsonObject } from '../../lib/is-object.ts'
import { fenced } from '../markdown/elements/code.ts'
import { parsed } from '../structured/structured-data.ts'

const listIn = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])
/** A text, which notebooks write as one or by lines. */
const textIn = (value: unknown): string => (Array.isArray(value) ? value.filter((line) => typeof line === 'string').join('') : typeof value === 'string' ? value : '')
/** Colours of terminals (ECMA-48, 8.3.117). */
const colours = /\x1b\[[\d;]*m/g

const code = (text: string, language: string): string => (text.trim() === '' ? '' : fenced(text.replace(colours, '').trimEnd(), language))

/** A Jupyter notebook (nbformat 4) as markdown: its texts as they are, its code, and what the code printed. Null for other JSON. */
export function notebookMarkdown(text: string): string | null {
  if (!text.includes('"nbformat"')) return null
  const book = parsed(text)
  if (!isObject(book) || book['nbformat'] !== 4 || !Array.isArray(book['cells'])) return null
  const language = languageOf(book['metadata'])
  const parts = listIn(book['cells']).flatMap((cell) => {
    const source = textIn(cell['source'])
    if (cell['cell_type'] === 'markdown') return [source.trim()]
    if (cell['cell_type'] !== 'code') return [code(source, '')]
    return [code(source, language), ...listIn(cell['outputs']).map(output)]
  })
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function languageOf(metadata: unknown): string {
  const { language_info: info, kernelspec: kernel } = isObject(metadata) ? metadata : {}
  const said = (isObject(info) ? info['name'] : undefined) ?? (isObject(kernel) ? kernel['language'] : undefined)
  return typeof said === 'string' && /^[\w+#.-]{1,30}$/.test(said) ? said.toLowerCase() : ''
}

/** What a cell printed or returned, of several forms of the same the one that is text. */
function output({ output_type: type, text, data, ename, evalue, traceback }: JsonObject): string {
  if (type === 'stream') return code(textIn(text), '')
  if (type === 'error') return code(Array.isArray(traceback) && traceback.length > 0 ? traceback.filter((line) => typeof line === 'string').join('\n') : `${textIn(ename)}: ${textIn(evalue)}`, '')
  if (!isObject(data)) return ''
  return data['text/markdown'] === undefined ? code(textIn(data['text/plain']), '') : textIn(data['text/markdown']).trim()
}
