import { expect, it } from 'vitest'
import { paragraph, samplePdf } from '../../../../test/pdf.ts'
import { readPdf } from '../read.ts'
import type { Shape } from './drawn-shapes.ts'
import { dottedItems } from './dots.ts'

const circle = (x: number, y: number): string => `${x} ${y} m ${x} ${y + 2} ${x - 1} ${y + 3} ${x - 2} ${y + 3} c ${x - 4} ${y + 3} ${x - 5} ${y + 2} ${x - 5} ${y} c ${x - 5} ${y - 2} ${x - 4} ${y - 3} ${x - 2} ${y - 3} c ${x - 1} ${y - 3} ${x} ${y - 2} ${x} ${y} c f`
const items = ['Calibrate all of the sensors of the three stations in the order in', 'which they were built.', 'Measure the tide.', 'Tell the harbour office.']
const lines = [...paragraph(['The harbour office needs three things:'], { y: 720 }), ...paragraph(items, { x: 90, y: 700 }), ...paragraph(['All of these are done before the summer, and again when it is over.'], { y: 630 })]

it('makes list items of lines with drawn bullets', async () => {
  const answer = await readPdf({ bytes: samplePdf({ pages: [{ lines, drawing: [703, 675, 661].map((y) => circle(84, y)).join('\n') }] }), order: { mode: 'auto', pages: false, pageMarkers: false, html: false } })
  const list = `- ${items.slice(0, 2).join(' ')}\n- ${items.slice(2).join('\n- ')}`
  expect('document' in answer ? answer.document.markdown : answer).toContain(list)
})

const text = (x: number, y: number, own: string): Parameters<typeof dottedItems>[1][number] => ({ text: own, x, y, width: own.length * 5, height: 10, itemType: 'Text' })
const dot = (x: number, y: number, size = 4): Shape => ({ left: x, bottom: y, right: x + size, top: y + size, isRound: true })
const three = [text(90, 700, 'North pier'), text(110, 680, 'Old lock'), text(90, 660, 'New lock')]

it('tells the level of items', () => {
  expect(dottedItems([dot(80, 702), dot(100, 682), dot(80, 662)], three)).toEqual([{ text: 'North pier', before: '', level: 0 }, { text: 'Old lock', before: 'pier', level: 1 }, { text: 'New lock', before: 'lock', level: 0 }])
})

it.each([
  ['a single dot', [dot(80, 702)]],
  ['dots within a line', [dot(142, 702), dot(151, 682)]],
  ['dots far from the text', [dot(20, 702), dot(20, 662)]],
  ['boxes larger than letters', [dot(78, 698, 12), dot(78, 658, 12)]],
  ['bars', [{ ...dot(80, 702), right: 90 }, { ...dot(80, 662), right: 90 }]],
])('takes %s for no bullets', (_what, shapes) => {
  expect(dottedItems(shapes, [...three, text(150, 700, 'of stone')])).toEqual([])
})
