import { expect, it } from 'vitest'
import { read } from '../../../../reading.ts'
import { readDefaults } from '../../../../../domain/pages/reading.ts'

const said = (n: number): string => `The loom beside the ferry drifts on the older model, as note ${n} explains in plain words, and it does so after an hour of use, whatever the weather is.`

function markdownOf(title: string, url: string, body: string): string {
  const capture = { requestedUrl: url, url, status: 200, headers: [['content-type', 'text/html; charset=utf-8']] as const, body: Buffer.from(`<title>${title}</title><body>${body}</body>`), engine: 'http' as const, proxy: 'basic' as const, tlsVerified: true, truncated: false, at: 0 }
  return read(capture, readDefaults).markdown().replace(/\]\([^)]*\)/g, ']').replace(/\n+/g, ' | ')
}

const comments = [1, 2, 3, 4, 5, 6, 7, 8, 9]

it('reads who began a discussion of Hacker News, and none of its controls', () => {
  const row = (n: number): string => `<tr class="athing comtr" id="${n}"><td><div><span class="comhead"><a href="user?id=u${n}" class="hnuser">u${n}</a> <span class="age"><a href="item?id=${n}">${n} hours ago</a></span> <span class="navs"> | <a href="#${n + 1}" class="clicky">next</a> <a class="togg" href="javascript:void(0)">[–]</a></span></span></div><br><div class="comment"><div class="commtext">${said(n)}</div></div></td></tr>`
  const head = '<table class="fatitem"><tr><td class="title"><span class="titleline"><a href="https://bread.example/">A clock made of bread</a></span></td></tr><tr><td class="subtext"><span class="subline"><span class="score">97 points</span> by <a href="user?id=crumb" class="hnuser">crumb</a> <span class="age"><a href="item?id=0">9 hours ago</a></span> | <a href="hide?id=0">hide</a> | <a href="fave?id=0">favorite</a> | <a href="item?id=0">9 comments</a></span></td></tr></table>'
  const markdown = markdownOf('A clock made of bread | Hacker News', 'https://news.ycombinator.com/item?id=0', `${head}<table class="comment-tree">${comments.map(row).join('')}</table>`)
  expect(markdown).toContain('# [A clock made of bread] | 97 points by [crumb] [9 hours ago] | [9 comments] | [u1] [1 hours ago] | The loom')
  expect(markdown).not.toMatch(/next|hide|favorite|\[–\]/)
})

it('reads the title of a discussion of the old Reddit, and no heading of its sidebar', () => {
  const thing = (n: number): string => `<div class="thing comment"><div class="entry"><p class="tagline"><a href="javascript:void(0)" class="expand">[–]</a><a href="/user/u${n}" class="author">u${n}</a> <span class="score dislikes">1 points</span><span class="score unvoted">2 points</span><span class="score likes">3 points</span> <time datetime="2024-03-03">${n} days ago</time></p><form><div class="usertext-body"><div class="md"><p>${said(n)}</p></div></div></form></div></div>`
  const side = '<div class="side"><div class="titlebox"><h1 class="redditname"><a href="/r/tinkering/">tinkering</a></h1><div class="md"><p>Be kind to people and to threads on screws alike.</p></div></div></div>'
  const post = '<div class="sitetable linklisting"><div class="thing link self"><div class="entry"><div class="top-matter"><p class="title"><a class="title" href="/r/tinkering/comments/abc/">What is your oldest tool?</a></p><p class="tagline">submitted <time datetime="2024-03-03">9 days ago</time> by <a href="/user/quill" class="author">quill</a></p></div></div></div></div>'
  const markdown = markdownOf('What is your oldest tool? : tinkering', 'https://old.reddit.com/r/tinkering/comments/abc/what/', `${side}<div class="content" role="main">${post}<div class="commentarea">${comments.map(thing).join('')}</div></div>`)
  expect(markdown).toMatch(/^# \[What is your oldest tool\?\] \| submitted 9 days ago by \[quill\] \| \[u1\] 2 points 1 days ago \| The loom/)
  expect(markdown).not.toMatch(/Be kind|1 points|3 points/)
})
