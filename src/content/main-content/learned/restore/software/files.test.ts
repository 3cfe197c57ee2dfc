import { expect, it } from 'vitest'
import { read } from '../../../../reading.ts'
import { readDefaults } from '../../../../../domain/pages/reading.ts'

const said = (n: number): string => `<p>The loom beside the ferry drifts on the older model, as note ${n} explains in plain words, and it does so after an hour of use, whatever the weather is.</p>`

function markdownOf(title: string, body: string): string {
  const url = 'https://loom.example/page'
  const capture = { requestedUrl: url, url, status: 200, headers: [['content-type', 'text/html; charset=utf-8']] as const, body: Buffer.from(`<title>${title}</title><body>${body}</body>`), engine: 'http' as const, proxy: 'basic' as const, tlsVerified: true, truncated: false, at: 0 }
  return read(capture, readDefaults).markdown()
}

it('reads the files that a text hands on, and no buttons that lead elsewhere', () => {
  const blocks = '<div class="wp-block-buttons"><div class="wp-block-button"><a class="wp-block-button__link" href="/plan.pdf">Download the plan</a></div></div><div class="wp-block-buttons"><div class="wp-block-button"><a class="wp-block-button__link" href="/subscribe">Subscribe now</a></div></div><div class="wp-block-file"><a href="/get?id=4">The drawing</a><a href="/get?id=4" class="wp-block-file__button" download>Download</a></div>'
  const markdown = markdownOf('A loom beside the ferry', `<header><nav><a href="/">Home</a><a href="/b.pdf">Price list</a></nav></header><article><h1>A loom beside the ferry</h1><div class="entry-content">${[1, 2, 3, 4, 5, 6, 7, 8, 9].map(said).join('')}<h2>What you need</h2><ul><li>A loom</li><li>A ferry</li></ul>${said(10)}${blocks}<p>Work the last row by hand and roll it underfoot.</p></div></article><footer><a href="/terms.pdf">Terms</a></footer>`)
  expect(markdown).toContain('[Download the plan](https://loom.example/plan.pdf)')
  expect(markdown).toContain('[The drawing](https://loom.example/get?id=4) [Download](https://loom.example/get?id=4)')
  expect(markdown).not.toMatch(/Subscribe|Price list|Terms/)
})

it('reads what a tracker says of its ticket above the discussion', () => {
  const field = (name: string, value: string): string => `<div class="attribute"><div class="label">${name}:</div><div class="value">${value}</div></div>`
  const fields = `<div class="attributes"><div class="left">${field('Status', 'In Progress')}${field('Priority', 'High')}${field('Assignee', '<a href="/users/6">Pavel Stern</a>')}</div><div class="left">${field('Start date', '')}${field('Due date', '')}</div></div>`
  const note = (n: number): string => `<div id="change-${n}" class="journal has-notes"><div id="note-${n}"><h4 class="note-header">Updated by <a class="user" href="/users/6">Pavel Stern</a> <a href="/activity">${n} days</a> ago</h4><div class="wiki">${said(n)}</div></div></div>`
  const markdown = markdownOf('Bug #1: The loom drifts - Looms - Tracker', `<div id="header"><h1>Looms</h1><div><a href="/a">Overview</a><a href="/b">Activity</a><a href="/c">Issues</a></div></div><div id="content"><h2>Bug #1</h2><div class="issue details"><div class="subject"><h3>The loom drifts</h3></div><p class="author">Added by <a href="/users/5">Marta Quill</a> 9 days ago.</p>${fields}<hr><div class="description"><div class="wiki">${[10, 11, 12].map(said).join('')}</div></div></div><div id="history"><h3>History</h3>${[1, 2, 3, 4, 5, 6].map(note).join('')}</div></div>`)
  expect(markdown.replaceAll('\n', ' ').replace(/ +/g, ' ')).toContain('Status: In Progress Priority: High Assignee: [Pavel Stern](https://loom.example/users/6)')
})
