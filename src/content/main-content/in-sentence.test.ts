import { expect, it } from 'vitest'
import { readDefaults } from '../../domain/pages/reading.ts'
import { read } from '../reading.ts'

function markdownOf(body: string): string {
  const html = `<!doctype html><title>Page</title><main><h1>Page</h1>${body}</main>`
  return read({ requestedUrl: 'https://port.example/a/page', url: 'https://port.example/a/page', status: 200, headers: [['content-type', 'text/html']], body: Buffer.from(html), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }, readDefaults).markdown().replace('# Page\n\n', '')
}

const text = (times: number): string => `<p>${'The council sets the fees of the harbour each year in spring, after it has heard those who keep a boat there. '.repeat(times)}</p>`

it('leaves no gap in a sentence where a word of it is also the name of a button, or named as furniture', () => {
  expect(markdownOf('<p>Click <strong>Save</strong>, then <a href="/c">Close</a> to finish, or use <span>Print</span>.</p>')).toBe('Click **Save**, then [Close](https://port.example/c) to finish, or use Print.\n')
  expect(markdownOf('<p><a href="/n">Next</a> we come to <a href="/l">log in</a> as root.</p>')).toBe('[Next](https://port.example/n) we come to [log in](https://port.example/l) as root.\n')
  expect(markdownOf('<p>Then <a class="account" href="/u/jo">@jo</a> spoke: <span class="dialog">“Make fast!”</span> and that was all.</p>')).toBe('Then [@jo](https://port.example/u/jo) spoke: “Make fast!” and that was all.\n')
})

it('leaves out what a page offers beside its sentences', () => {
  expect(markdownOf(`${text(1)}<p><a href="/p">Print</a> | <a href="/s">Share</a></p><ul><li><a href="/m">E-mail</a></ul>`)).not.toMatch(/Print|Share|E-mail/)
  expect(markdownOf(`${text(1)}<p>A fid <span class="tooltip-text">A tool of wood</span> opens strands.</p>`)).not.toContain('tool of wood')
})

it('keeps the items of a list that lead nowhere, and terms', () => {
  expect(markdownOf('<p>The bar has these buttons:</p><ul><li>Save</li><li>Print</li></ul><dl><dt><span>Close</span></dt><dd>Ends the program.</dd></dl>')).toBe('The bar has these buttons:\n\n- Save\n- Print\n\n**Close**\n\nEnds the program.\n')
})

it('keeps the cells and rows of a table of data, whatever they say and are called', () => {
  const keys = '<table><tr><th>Key<th>What it does</tr><tr><td>Ctrl S<td><span>Save</span></tr><tr><td>Ctrl P<td><p>Print</p></tr></table>'
  expect(markdownOf(keys)).toBe('| Key | What it does |\n| --- | --- |\n| Ctrl S | Save |\n| Ctrl P | Print |\n')
  expect(markdownOf('<table><tr><td>Rope<td>4.00</tr><tr class="totals"><td>Total<td>4.00</tr></table>')).toContain('| Total | 4.00 |')
  const shares = '<table><tr><th>Maker<th class="share">Share</tr><tr><td>Foo<td class="share">41 %</tr><tr class="totals"><td>All<td>53 %</tr></table>'
  expect(markdownOf(shares)).toBe('| Maker | Share |\n| --- | --- |\n| Foo | 41 % |\n| All | 53 % |\n')
})

it('keeps a heading above a list that says something, although a button could say the same', () => {
  expect(markdownOf('<p>Fish from the harbour.</p><h2>Menu</h2><ul><li>Soup of mussels, saffron and leek: € 9</li><li>Cod with potatoes, beans and butter: € 19</li></ul>')).toContain('## Menu\n\n- Soup')
  expect(markdownOf(`${text(1)}<h2>Share</h2><div><a href="https://a.example/share">A network on which this may be shared</a> <a href="https://b.example/share">Another network on which this may be</a></div>`)).not.toContain('## Share')
})

it('keeps a heading that asks the reader something above the text that answers', () => {
  const answer = 'Take a boat, a rope and a sail, and leave the harbour at high tide; the wind will do the rest, unless it comes from the west: then you stay.'
  expect(markdownOf(`${text(1)}<h2>Ready to sail away?</h2><p>${answer}</p>${text(1)}`)).toContain('## Ready to sail away?')
  expect(markdownOf(`${text(1)}<div><h2>Ready to sail away?</h2><p>Book a boat.</p></div>`)).not.toMatch(/Ready|Book/)
})

it('keeps a list of files that a text hands on', () => {
  const list = (ending: string): string => `${text(4)}<h2>Documents</h2><ul>${['Fees of 2024', 'Fees of 2023', 'Form for a berth'].map((name, i) => `<li><a href="/f/${i}${ending}">${name}</a>`).join('')}</ul>${text(1)}`
  expect(markdownOf(list('.pdf'))).toContain('- [Fees of 2023](https://port.example/f/1.pdf)')
  expect(markdownOf(list(''))).not.toContain('Fees of 2023')
})

it('keeps the unit of a number that only screen readers are told, unless the page shows one', () => {
  const winds = '<p>Wind: 12<span class="visually-hidden"> kilometres per hour</span></p><p>Cook <span>15<span class="sr-only"> minutes</span></span> <span aria-hidden="true">mins</span></p>'
  for (const more of ['', text(12)]) expect(markdownOf(winds + more)).toMatch(/^Wind: 12 kilometres per hour\n\nCook 15 mins\n/)
  const notes = '<p>Read <a href="/r">Report 2023<span class="visually-hidden"> opens in new tab</span></a> or Form 1040<span class="sr-only">, PDF 2 MB</span> at 4.2%<span class="tooltip">Annual yield</span></p>'
  for (const more of ['', text(12)]) expect(markdownOf(notes + more)).not.toMatch(/opens|PDF/)
  expect(markdownOf(notes)).toContain('at 4.2%\n')
})
