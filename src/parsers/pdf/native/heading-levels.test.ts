import { expect, it } from 'vitest'
import { headingSizes, withEvenLevels } from './heading-levels.ts'
import type { RawPage } from '../source.ts'

const at = (text: string, y: number, fontSize: number): Parameters<typeof headingSizes>[1][number] => ({ text, x: 72, y, width: text.length * 5, height: fontSize, fontSize, rotation: 0, itemType: 'Text' })
const page = (markdown: string, i: number): RawPage => ({ pageNumber: i + 1, markdown, needsOcr: false, bullets: [], anchors: [] })
const titles = (...of: readonly (readonly [string, number])[]): Parameters<typeof headingSizes>[1] => of.map(([text, size], i) => at(text, 700 - 40 * i, size))

it('gives headings of one font size the same level on all pages, and leaves code alone', () => {
  const markdown = ['# Tides of the north\n\n## Method\n\ntext', '# Findings\n\ntext\n\n```\n# Findings\n```', '## Advice\n\n### At sea\n\n## Outlook\n\n# Notes by nobody']
  const items = [titles(['Tides of the north', 24], ['Method', 16]), titles(['Findings', 16]), titles(['Advice', 16], ['At sea', 13], ['Outlook', 16])]
  const sizes = markdown.map((text, i) => headingSizes(text, items[i] ?? []))
  expect(sizes).toEqual([[24, 16], [16], [16, 13, 16, 0]])
  expect(withEvenLevels(markdown.map(page), sizes).map((one) => one.markdown)).toEqual([markdown[0], markdown[1]?.replace('#', '##'), markdown[2]])
})

it('keeps the level of a single heading', () => {
  expect(withEvenLevels([page('## Notice\n\ntext', 0)], [[14]]).map((one) => one.markdown)).toEqual(['## Notice\n\ntext'])
})
