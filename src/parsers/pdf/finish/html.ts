import { escapeHtml } from '../../../lib/escape-html.ts'
import { type Block, blocksOf } from '../blocks.ts'

/** Converts the blocks of a PDF to HTML. Supports only the markdown that this folder writes. */
export function toHtml(blocks: readonly Block[]): string {
  return blocks.map(blockHtml).join('\n')
}

function blockHtml({ kind, lines }: Block): string {
  if (kind === 'heading') return headingHtml(lines[0] ?? '')
  if (kind === 'code') return `<pre><code>${escapeHtml(lines.slice(1, lines.at(-1)?.startsWith('```') ? -1 : undefined).join('\n'))}</code></pre>`
  if (kind === 'table') return tableHtml(lines)
  if (kind === 'text' && lines.every((line) => /^> ?/.test(line))) return `<blockquote>${toHtml(blocksOf(lines.map((line) => line.replace(/^> ?/, '')).join('\n')))}</blockquote>`
  return kind === 'list' ? listHtml(lines) : `<p>${inline(lines.join('\n'))}</p>`
}

function headingHtml(line: string): string {
  const [, marks = '#', text = ''] = /^(#{1,6})\s+(.*)$/.exec(line) ?? []
  return `<h${marks.length}>${inline(text)}</h${marks.length}>`
}

const cellsOf = (line: string): string[] => line.replace(/^\||\|$/g, '').split(/(?<!\\)\|/)

function tableHtml(lines: readonly string[]): string {
  const ruled = /^\|[\s:|-]+\|?$/.test(lines[1] ?? '')
  const row = (line: string, tag: 'td' | 'th'): string => `<tr>${cellsOf(line).map((cell) => `<${tag}>${inline(cell.trim().replaceAll('\\|', '|'))}</${tag}>`).join('')}</tr>`
  const body = (ruled ? lines.slice(2) : lines).map((line) => row(line, 'td')).join('')
  return `<table>${ruled ? `<thead>${row(lines[0] ?? '', 'th')}</thead>` : ''}<tbody>${body}</tbody></table>`
}

/** Nests lists by indentation; a line without a marker continues the item before it. */
function listHtml(lines: readonly string[]): string {
  const open: { indent: number; tag: 'ul' | 'ol' }[] = []
  let html = ''
  for (const line of lines) {
    const [, space, mark = '', text = ''] = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/.exec(line) ?? []
    if (space === undefined) {
      html += ` ${inline(line.trim())}`
      continue
    }
    const tag = /\d/.test(mark) ? 'ol' : 'ul'
    const here = (): { indent: number; tag: string } | undefined => open.at(-1)
    while (open.length > 1 && (here()?.indent ?? 0) > space.length) html += `</li></${open.pop()?.tag}>`
    if (here() !== undefined && here()?.tag !== tag && space.length <= (here()?.indent ?? 0)) html += `</li></${open.pop()?.tag}>`
    if (here() === undefined || (space.length > (here()?.indent ?? 0) && open.length < 20)) {
      open.push({ indent: space.length, tag })
      html += tag === 'ol' && Number.parseInt(mark, 10) !== 1 ? `<ol start="${Number.parseInt(mark, 10)}"><li>` : `<${tag}><li>`
    } else html += '</li><li>'
    html += inline(text)
  }
  while (open.length > 0) html += `</li></${open.pop()?.tag}>`
  return html
}

/** Text with none of these signs is HTML as it is. */
const signs = /[&<>"`*~[\\]/

/** Converts links, emphasis and code within a line; escapes everything else. */
function inline(text: string): string {
  if (!signs.test(text)) return text
  return escapeHtml(text)
    .replace(/`([^`\n]+)`/g, '<code>$1</code>')
    // What does not end is matched, too: otherwise each beginning in it would be followed to the same end.
    .replace(/(?<!!)\[([^\]\n]{1,500})\]\(((?:https?:\/\/|mailto:)[^\s)]{1,2000})(\))?/g, (whole, said: string, url: string, end: string | undefined) => (end === undefined ? whole : `<a href="${url}">${said}</a>`))
    .replace(/\*\*(?=\S)([^*\n]+)(?<=\S)\*\*/g, '<strong>$1</strong>')
    .replace(/(?<![\w*])\*(?=\S)([^*\n]+)(?<=\S)\*(?![\w*])/g, '<em>$1</em>')
    .replace(/~~(?=\S)([^~\n]+)(?<=\S)~~/g, '<s>$1</s>')
    .replace(/&lt;(\/?(?:sup|sub)|br)&gt;/g, '<$1>')
    .replace(/\\([\\`*_{}[\]#+.!|&-])/g, (_, character: string) => character)
}
