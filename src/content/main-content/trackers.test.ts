import { expect, it } from 'vitest'
import { readDefaults } from '../../domain/pages/reading.ts'
import { read } from '../reading.ts'

function markdownOf(url: string, body: string): string {
  return read({ requestedUrl: url, url, status: 200, headers: [['content-type', 'text/html']], body: Buffer.from(`<!doctype html><title>Lid stays open</title><body>${body}</body>`), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }, readDefaults).markdown()
}

const lines = ['Confirmed on the upper lock, with the old hinge.', 'Fixed in r8812.']
const description = '<p>The lid stays open when the date is a Friday, as the hinge reads the locale of the lock keeper.</p>'
const nav = '<div class="nav"><ul><li><a href="/">Home</a></li><li><a href="/all">All tickets</a></li></ul></div>'

it.each([
  ['Bugzilla', 'https://bugs.example/show_bug.cgi?id=7', `<form method="post"><table><tr><th>Product:</th><td>Kettle</td></tr></table><div id="comments"><table><tr><td><div id="c0" class="bz_comment"><pre class="bz_comment_text">The lid stays open on Fridays.</pre></div>${lines.map((line, i) => `<div id="c${i + 1}" class="bz_comment"><span class="bz_comment_user">Mira</span><pre class="bz_comment_text">${line}</pre></div>`).join('')}</td></tr></table></div></form>`],
  ['Trac', 'https://kettle.example/ticket/1204', `<div id="content" class="ticket"><h1>Lid stays open</h1><div class="description">${description}</div><h2>Change History</h2><div id="changelog">${lines.map((line) => `<div class="change"><h3 class="change">by mira, 6 weeks ago</h3><div class="comment searchable"><p>${line}</p></div></div>`).join('')}</div></div>`],
  ['Jira', 'https://issues.example/browse/KET-88', `<section id="content"><h1>Lid stays open</h1><div>${description}</div><h4>Activity</h4><div id="issue_actions_container">${lines.map((line) => `<div class="issue-data-block activity-comment"><div class="action-head">Sam added a comment</div><div class="action-body"><p>${line}</p></div></div>`).join('')}</div></section>`],
  ['Launchpad', 'https://bugs.example/kettle/+bug/2001', `<div id="maincontent"><h1>Lid stays open</h1><div>${description}</div><div id="conversation">${lines.map((line) => `<div class="boardComment"><div class="boardCommentBody"><div class="comment-text"><p>${line}</p></div></div></div>`).join('')}</div></div>`],
  ['a snippet with comments', 'https://gist.code.example/mira/1', `<div role="main"><h1>Lid stays open</h1><div>${description}<pre>lid.close()</pre></div>${lines.map((line) => `<div class="timeline-comment"><h3>mira commented</h3><div class="comment-body"><p>${line}</p></div></div>`).join('')}</div>`],
])('keeps the comments on a ticket of %s', (_, url, body) => {
  const markdown = markdownOf(url, nav + body)
  for (const line of lines) expect(markdown).toContain(line)
})

it('leaves the comments of readers of any other page', () => {
  const comments = `<div id="comments">${lines.map((line) => `<div class="comment"><p>${line}</p></div>`).join('')}</div>`
  for (const url of ['https://shop.example/browse/lids', 'https://shop.example/tickets', 'https://shop.example/bugs/lids']) expect(markdownOf(url, `<article><h1>Lid stays open</h1>${description.repeat(8)}</article>${comments}`)).not.toContain(lines[0])
})
