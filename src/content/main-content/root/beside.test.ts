import { expect, it } from 'vitest'
import { readDefaults } from '../../../domain/pages/reading.ts'
import { read } from '../../reading.ts'

function markdownOf(body: string): string {
  const html = `<!doctype html><title>Heart clinic</title><body>${body}</body>`
  return read({ requestedUrl: 'https://clinic.example/heart', url: 'https://clinic.example/heart', status: 200, headers: [['content-type', 'text/html']], body: Buffer.from(html), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }, readDefaults).markdown()
}

const text = '<h1>Heart clinic</h1><p>We see adults with pains in the chest, faints, and hearts that beat out of step, in three rooms.</p><p>Your doctor sends us a letter, and you get a date within three weeks, or within two days if it is urgent.</p>'
const hours = '<div class="card"><h3>Opening hours</h3><table><tr><td>Mon–Thu<td>8:00–16:30<tr><td>Fri<td>8:00–13:00</table></div>'
const contact = '<div class="card"><h3>Contact</h3><p>Level 3<br><a href="tel:1">01 555 3400</a></p></div>'

it('keeps the column beside a short text that leads nowhere else', () => {
  expect(markdownOf(`<div class="row"><div class="col-8">${text}</div><div class="col-4">${contact}${hours}</div></div>`)).toMatch(/# Heart clinic[^]*### Contact\n\nLevel 3[^]*### Opening hours\n\n\| Mon–Thu \| 8:00–16:30 \|/)
})

it.each([
  ['leads to other pages', `<div class="col-4">${hours}<a href="/lungs">Lung clinic</a></div>`],
  ['is named as furniture', `<div class="sidebar"><h3>Opening hours</h3><p>On all days of the week</p></div>`],
  ['has no heading', '<div class="col-4"><p>We use what your browser tells us.</p></div>'],
])('leaves out a column that %s', (_, column) => {
  expect(markdownOf(`<div class="row"><div class="col-8">${text}</div>${column}</div>`)).not.toMatch(/Opening|browser/)
})

it('keeps the line under the headline before a short text', () => {
  const head = (line: string): string => `<div class="post"><div class="post-header"><h1>Heart clinic</h1>${line}<div class="names"><a href="/orla">Orla Finn</a></div></div><div class="markup">${text.replace(/<h1>.*?<\/h1>/, '')}</div></div>`
  expect(markdownOf(head('<h3 class="subtitle">A beat is a poor clock</h3>'))).toMatch(/^# Heart clinic\n\n### A beat is a poor clock\n\nWe see/)
  expect(markdownOf(head('<h3>A beat is a poor clock</h3>'))).toMatch(/^# Heart clinic\n\nWe see/)
})
