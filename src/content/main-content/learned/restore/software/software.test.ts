import { expect, it } from 'vitest'
import { read } from '../../../../reading.ts'
import { readDefaults } from '../../../../../domain/pages/reading.ts'

const said = (n: number): string => `<p>The loom beside the ferry drifts on the older model, as note ${n} explains in plain words, and it does so after an hour of use, whatever the weather is.</p>`
const texts = (from: number, to: number): string => Array.from({ length: to - from }, (_, i) => said(from + i)).join('')

/** The markdown of a page, without its long paragraphs, on one line. */
function markdownOf(title: string, body: string, url = 'https://loom.example/looms/page'): string {
  const capture = { requestedUrl: url, url, status: 200, headers: [['content-type', 'text/html; charset=utf-8']] as const, body: Buffer.from(`<title>${title}</title><body>${body}</body>`), engine: 'http' as const, proxy: 'basic' as const, tlsVerified: true, truncated: false, at: 0 }
  return read(capture, readDefaults).markdown().replace(/The loom beside.*?whatever the weather is\./g, '').replace(/\s*\n\s*/g, ' | ')
}

const project = '<div id="header"><h1>Looms</h1><div id="main-menu"><ul><li><a href="/a">Overview</a></li><li><a href="/b">Activity</a></li><li><a href="/c">Tickets</a></li></ul></div></div>'

it('reads a ticket of a project under its own heading, with all that is said of it', () => {
  const field = (name: string, value: string): string => `<div class="attribute"><div class="label">${name}:</div><div class="value">${value}</div></div>`
  const fields = `<div class="attributes"><div class="left">${field('Status', 'New')}${field('Priority', 'High')}${field('Assignee', '<a href="/users/6">Pavel Stern</a>')}</div><div class="right">${field('Start date', '03/14/2024')}${field('Due date', '')}${field('% Done', '<table><tr><td></td></tr></table><p>40%</p>')}</div></div>`
  const note = (n: number): string => `<div id="change-${n}" class="journal has-notes"><div id="note-${n}"><h4>Updated by <a class="user" href="/users/6">Pavel Stern</a> <a href="/activity">${n} days</a> ago</h4><div class="wiki">${said(n)}</div></div></div>`
  const markdown = markdownOf('Bug #1042: The loom drifts - Looms - Tracker', `${project}<div id="content"><h2>Bug #1042</h2><div class="issue details"><div class="subject"><h3>The loom drifts</h3></div>${fields}<hr><div class="description"><div class="wiki">${texts(10, 13)}</div></div></div><div id="history">${[1, 2, 3, 4].map(note).join('')}</div></div>`)
  expect(markdown).toMatch(/^## Bug #1042 \| ### The loom drifts \| /)
  expect(markdown).toMatch(/Start date: \| 03\/14\/2024 \| (?:Due date: \| )?% Done: \| 40% \| /)
})

it('reads the whole rows of a list of tickets, beside bars that say how much is done', () => {
  const bar = '<table class="progress"><tr><td style="width: 40%"></td><td></td></tr></table>'
  const names = ['The loom drifts', 'The shuttle sticks in winter', 'Rename the spare parts of a loom', 'Print the pattern in two colours', 'Search forgets the last word']
  const rows = names.map((name, i) => `<tr class="issue"><td><input type="checkbox" name="ids[]" value="${i}"></td><td><a href="/${i + 70}">${i + 70}</a></td><td>Bug</td><td>New</td><td><a href="/${i + 70}">${name}</a></td><td>04/0${i + 1}/2024 04:40 PM</td><td>${bar}</td></tr>`).join('')
  const markdown = markdownOf('Tickets - Looms - Tracker', `${project}<div id="sidebar"><h3>Tickets</h3><ul><li><a href="/c">View all tickets</a></li></ul></div><div id="content"><h2>Tickets</h2><form method="get"><fieldset><legend>Filters</legend><label for="f">Add filter</label><select id="f">${'<option>Status of the ticket</option>'.repeat(60)}</select></fieldset></form><form method="post"><table><thead><tr><th></th><th><a href="/s">#</a></th><th>Tracker</th><th>Status</th><th>Subject</th><th>Updated</th><th>% Done</th></tr></thead>${rows}</table></form></div>`)
  expect(markdown).toMatch(/^## Tickets \|/)
  names.forEach((name, i) => expect(markdown).toContain(`| [${i + 70}](https://loom.example/${i + 70}) | Bug | New | [${name}](https://loom.example/${i + 70}) | 04/0${i + 1}/2024 04:40 PM |`))
})

it('reads the names of tabs above their panels', () => {
  const tabs = '<div class="theme-tabs-container tabs-container"><ul role="tablist" class="tabs"><li role="tab" class="tabs__item tabs__item--active">Linux</li><li role="tab" class="tabs__item">macOS</li></ul><div class="margin-top--md"><div role="tabpanel" class="item"><p>Use the package of your distribution.</p></div><div role="tabpanel" class="item" hidden><p>Use Homebrew, then restart.</p></div></div></div>'
  const markdown = markdownOf('Install | Docs', `<nav class="navbar navbar--fixed-top"><a href="/">Site</a><a href="/docs">Docs</a></nav><div class="main-wrapper"><main><article><div class="theme-doc-markdown markdown"><header><h1>Install</h1></header>${texts(1, 8)}${tabs}${said(9)}</div></article></main></div>`)
  expect(markdown).toContain('**Linux** | Use the package of your distribution. | **macOS** | Use Homebrew, then restart.')
})

it('reads all of a section that Asciidoctor wrote', () => {
  const blocks = '<div class="stemblock"><div class="content">\\$sum_(i=1)^n i^3\\$</div></div><div class="admonitionblock note"><table><tr><td class="icon"><div class="title">Note</div></td><td class="content">Mind the belt.</td></tr></table></div><div class="quoteblock"><blockquote>Never turn back.</blockquote><div class="attribution">&#8212; Marta Quill</div></div><div class="exampleblock"><div class="title">Example 1. A loom</div><div class="content"><p>It has four shafts.</p></div></div>'
  const markdown = markdownOf('Looms', `<div id="header"><h1>Looms</h1></div><div id="content"><div class="sect1"><h2>Parts</h2><div class="sectionbody">${texts(1, 8)}${blocks}${said(9)}</div></div></div><div id="footer"><div id="footer-text">Last updated 2024-05-03</div></div>`)
  expect(markdown).toContain('`sum_(i=1)^n i^3` | **Note** | Mind the belt. | > Never turn back. | — Marta Quill | Example 1. A loom | It has four shafts.')
})

it('reads what a post says below pictures in a row', () => {
  const figure = (n: number): string => `<figure class="wp-block-image size-large"><img src="/${n}.jpg" alt=""><figcaption class="wp-element-caption">Loom ${n} at the ferry</figcaption></figure>`
  const markdown = markdownOf('A week of weaving - Looms', `<header><a href="/">Looms</a></header><main><article><h1>A week of weaving</h1><div class="entry-content">${texts(1, 6)}${figure(1)}${figure(2)}${texts(6, 9)}</div></article></main>`)
  expect(markdown).toContain('Loom 1 at the ferry | ![](https://loom.example/2.jpg) | Loom 2 at the ferry')
})

it('reads who wrote each of two versions of a page, and when', () => {
  const head = (user: string, day: string): string => `<td colspan="2"><div><strong><a href="/old">Revision as of ${day}</a> (<a href="/edit">edit</a>)</strong></div><div><a href="/u">${user}</a> (<a href="/t">talk</a> | <a href="/c">contribs</a>)</div></td>`
  const page = (text: string): string => `<div id="content" role="main"><h1>Loom: Difference between revisions</h1><table class="diff diff-type-table"><tbody><tr class="diff-title">${head('Marta', '3 May 2024')}${head('Pavel', '7 May 2024')}</tr><tr><td data-marker="−"></td><td>Built in 1810 by the guild.</td><td data-marker="+"></td><td>Built in 1812 by the guild.</td></tr></tbody></table><hr><h2>Latest revision</h2>${text}</div>`
  for (const text of [texts(1, 4), texts(1, 12)]) {
    const markdown = markdownOf('Loom: Difference between revisions - Looms', page(text))
    expect(markdown).toMatch(/3 May 2024.*Marta.*7 May 2024.*Pavel.*\| − \| Built in 1810 by the guild\. \| \+ \| Built in 1812/)
  }
})

it('reads the title of a question that the name of its tag stands before', () => {
  const answer = (n: number): string => `<div id="answer-${n}" class="answer"><div class="s-prose" itemprop="text">${texts(n * 3, n * 3 + 3)}</div></div>`
  const page = `<div id="question-header"><h1><a href="/questions/12/drift">Why does it drift?</a></h1></div><div role="main"><div class="question" id="question"><div class="s-prose" itemprop="text">${texts(1, 4)}</div></div>${answer(2)}${answer(3)}<h2 class="bottom-notice"><div>Browse other questions tagged <ul><li><a href="/questions/tagged/weaving" rel="tag">weaving</a></li></ul></div></h2></div>`
  expect(markdownOf('weaving - Why does it drift? - Looms', `<header><a href="/">Looms</a></header>${page}`, 'https://looms.example/questions/12/drift')).toMatch(/^# \[Why does it drift\?\]/)
})

it('reads the signature of each member that Javadoc describes', () => {
  const member = (name: string, n: number): string => `<li><section class="detail" id="${name}"><h3>${name}</h3><div class="member-signature"><span class="modifiers">public</span>&nbsp;<span class="return-type">int</span>&nbsp;<span class="element-name">${name}</span>()</div><div class="block">${said(n)}</div></section></li>`
  const markdown = markdownOf('Loom (Looms 2 API)', `<header role="banner"><nav><a href="/">Overview</a></nav></header><main role="main"><div class="header"><h1 class="title">Class Loom</h1></div><section class="details"><ul class="member-list">${['shafts', 'treadles', 'picks'].map(member).join('')}</ul></section></main>`)
  expect(markdown).toMatch(/public int shafts\(\) .*public int treadles\(\) .*public int picks\(\)/)
})

it('reads no list of the languages that a short article is written in', () => {
  const languages = '<div id="p-lang-btn" class="vector-dropdown mw-portlet mw-portlet-lang"><input type="checkbox" id="b"><label for="b"><span>12 languages</span></label><div class="vector-dropdown-content"><ul><li class="interlanguage-link"><a href="https://de.loom.example/" hreflang="de"><span>Deutsch</span></a></li></ul></div></div>'
  const markdown = markdownOf('Loom Hall - Looms', `<header class="vector-header"><a href="/">Looms</a></header><main id="content" class="mw-body"><header class="mw-body-header"><h1 id="firstHeading"><span class="mw-page-title-main">Loom Hall</span></h1>${languages}</header><div id="bodyContent"><div class="mw-parser-output">${texts(1, 4)}</div></div></main>`)
  expect(markdown).toMatch(/^# Loom Hall/)
  expect(markdown).not.toMatch(/languages|Deutsch/)
})

it('reads the remarks on a question of Askbot', () => {
  const remark = `<div class="comments js-post-comments"><div class="comment" id="comment-3"><div class="comment-content"><div class="comment-body">${said(40)}</div><div class="comment-info"><a class="author" href="/users/3/lena/">lena</a><span class="age"> (<abbr class="timeago">2023-04-12</abbr>)</span></div></div></div></div>`
  const answer = (n: number): string => `<div class="answer js-answer" id="post-id-${n}"><div class="post-content"><div class="js-editable-body">${texts(n * 3, n * 3 + 3)}</div></div></div>`
  const markdown = markdownOf('Why does it drift? - Looms', `<div class="header"><a href="/">Looms</a></div><div id="ContentLeft"><div class="question-content"><h1><a href="/question/12/drift/">Why does it drift?</a></h1><div id="post-id-1" class="post js-post"><div class="js-editable-body">${texts(1, 3)}</div>${remark}</div></div>${answer(2)}${answer(3)}</div>`, 'https://looms.example/question/12/drift/')
  expect(markdown).toContain(' | [lena](https://looms.example/users/3/lena/) (2023-04-12) | ')
})
