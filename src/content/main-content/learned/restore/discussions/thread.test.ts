import { expect, it } from 'vitest'
import { growth } from '../../../../../../test/cpu.ts'
import { wantedBlocks } from '../../../../../../test/wanted-blocks.ts'
import { oneLine } from '../../../../html/tree.ts'

/** The lines that are left of a page when the trees keep those that contain `yes`. */
function left(html: string, url = 'https://site.example/threads/1'): readonly string[] {
  const { frame, kept } = wantedBlocks(html, url, (text) => text.includes('yes'))
  return frame.blocks.all.filter((_, i) => kept[i] === 1).map(({ texts }) => oneLine(texts.map(({ data }) => data).join('')))
}

const long = 'yes, it did so on every morning of that week, and twice on the day of the fair'

it('keeps who wrote a post, and when, as microdata and classes say', () => {
  const post = (n: number): string => `<article id="post-${n}"><h4 itemprop="author" itemscope><a itemprop="name">Hexley ${n}</a></h4><ul><li><time datetime="2024-03-0${n}">Mar ${n}, 2024</time></li><li>#${n}</li></ul><div class="body">${long} ${n}</div></article>`
  expect(left(post(1) + post(2))).toEqual(['Hexley 1', 'Mar 1, 2024', `${long} 1`, 'Hexley 2', 'Mar 2, 2024', `${long} 2`])
})

it('names the author of a post as the line does in which there are other words', () => {
  const post = (n: number): string => `<div class="comment" id="t${n}"><p class="tagline">by <a class="author">Hexley${n}</a>, at noon</p><div><p>${long} ${n}</p></div></div>`
  expect(left(post(1) + post(2))).toEqual(['by Hexley1, at noon', `${long} 1`, 'by Hexley2, at noon', `${long} 2`])
})

it('finds the posts of a page that microdata calls a discussion, whatever other elements are named alike', () => {
  const post = (n: number): string => `<section itemscope itemtype="https://schema.org/Answer"><p><i itemprop="author">Hexley ${n}</i></p><p>${long} ${n}</p></section>`
  expect(left(`<div><p>no</p></div><div itemscope itemtype="https://schema.org/QAPage">${post(1)}${post(2)}</div>`, 'https://site.example/a')).toEqual(['Hexley 1', `${long} 1`, 'Hexley 2', `${long} 2`])
})

it('does not take who is quoted for the author, nor when a member joined for the time', () => {
  const post = (n: number): string => `<div id="post_${n}"><dl><dt>Joined</dt><dd><time>May 2009</time></dd></dl><div class="body"><blockquote><b class="username">Ann</b></blockquote><p>${long} ${n}</p></div></div>`
  expect(left(post(1) + post(2))).not.toContain('May 2009')
})

it('keeps what a post quotes, but no control of it', () => {
  const html = `<div id="post-1"><div class="text"><p>${long}</p></div></div><div id="post-2"><div class="text"><blockquote><div>It did so.</div><div><a role="button">Expand</a></div></blockquote>${long}</div></div>`
  expect(left(html)).toEqual([long, 'It did so.', long])
})

it('drops what leads to the same in most posts, and what few posts kept of the figures that most have', () => {
  const post = (n: number): string => `<div id="post-${n}"><span><div class="joined">Joined ${n === 2 ? 'yes' : 'in'} May</div></span><p>${long} ${n}</p><div><a href="/reply?${n}">Reply yes</a></div></div>`
  expect(left(post(1) + post(2) + post(3))).toEqual([`${long} 1`, `${long} 2`, `${long} 3`])
})

it('does not keep all of a post because posts are items of a list', () => {
  const post = (n: number): string => `<li id="post_${n}"><div class="userinfo">Senior member</div><div class="text">${long} ${n}</div><div>Quote</div></li>`
  expect(left(`<ol>${post(1)}${post(2)}</ol>`)).toEqual([`${long} 1`, `${long} 2`])
  const remark = (n: number): string => `<li id="comment-${n}"><div>7</div><div class="text">${long} ${n}</div></li>`
  expect(left(`<ul>${remark(1)}${remark(2)}</ul>`)).toEqual(['7', `${long} 1`, '7', `${long} 2`])
})

it('keeps all reviews of a product when it keeps much of them', () => {
  const review = (n: number, says: string): string => `<div class="review"><p class="meta"><b class="review__author">Ines ${n}</b> on May ${n}</p><div class="text">${says}</div><div class="helpful">Helpful?</div></div>`
  const shown = 'The cord is short, as others said before, but it boils fast and it is quiet.'
  expect(left(`<h1>Kettle yes</h1><p>${long}</p><div class="comments">${review(1, long)}${review(2, shown)}${review(3, long)}</div>`, 'https://site.example/kettle')).toEqual(['Kettle yes', long, 'Ines 1 on May 1', long, 'Ines 2 on May 2', shown, 'Ines 3 on May 3', long])
})

it('keeps all of what the page calls the text of a post, but no control in it', () => {
  const post = (n: number, more: string): string => `<article id="post-${n}"><div class="body"><div itemprop="text">${long} ${n}${more}</div></div></article>`
  const html = post(1, '<ol><li>Open the box</li><li>Shut it</li></ol>') + post(2, '<div><button>Spoiler</button><div>It is 0.35 mm.</div></div>')
  expect(left(html)).toEqual([`${long} 1`, 'Open the box', 'Shut it', `${long} 2`, 'It is 0.35 mm.'])
})

it('drops what is hidden in posts, and figures about members, but not what some screens show', () => {
  const post = (n: number): string => `<div id="post_${n}"><dl class="user-profile postprofile"><dd>Joined yes May</dd></dl><div class="d-none d-md-block">yes, on wide screens</div><p>${long} ${n}</p><div class="raw-content tw-hidden">${long} ${n}</div></div>`
  expect(left(post(1) + post(2))).toEqual([1, 2].flatMap((n) => ['yes, on wide screens', `${long} ${n}`]))
})

it('reads who asked and who answered where only microdata calls the page questions and answers', () => {
  const post = (type: string, by: string): string => `<div class="p" itemscope itemtype="https://schema.org/${type}"><div itemprop="text"><p>${long}</p></div><span><span>asked May 3</span> by <span itemprop="author">${by}</span></span></div>`
  const page = (type: string): string => `<div class="main" itemscope itemtype="https://schema.org/${type}">${post('Question', 'Ann')}${post('Answer', 'Bob')}</div>`
  expect(left(page('QAPage'), 'https://site.example/12/why')).toEqual([long, 'asked May 3 by Ann', long, 'asked May 3 by Bob'])
  expect(left(page('FAQPage'), 'https://site.example/12/why')).toEqual([long, long])
})

it('reads when a post was written from an element that a script makes relative', () => {
  const post = (n: number): string => `<div class="timeline-item comment" id="issuecomment-${n}"><span><a class="author" href="/u${n}">Ann ${n}</a> commented <a href="#c${n}"><relative-time datetime="2024-03-0${n}">2024-03-0${n}</relative-time></a></span><div class="body"><p>${long} ${n}</p></div></div>`
  expect(left(post(1) + post(2), 'https://site.example/loom/issues/4')).toEqual([1, 2].flatMap((n) => [`Ann ${n} commented`, `2024-03-0${n}`, `${long} ${n}`]))
})

it('keeps what a poll lets members choose, and the votes, but no links of it', () => {
  const post = (n: number): string => `<div id="post_${n}"><p>${long} ${n}</p></div>`
  const poll = (title: string): string => `<form class="topic_poll"><h2>${title}</h2><fieldset class="polls"><dl><dt>Paraffin</dt><dd>14</dd></dl><dl><dt>Beeswax</dt><dd>6</dd></dl><dl><dd><a href="?results">View results</a></dd></dl></fieldset></form>`
  expect(left(poll('Which wax? yes') + post(1) + post(2))).toEqual(['Which wax? yes', 'Paraffin', '14', 'Beeswax', '6', `${long} 1`, `${long} 2`])
  expect(left(poll('Which wax?') + post(1) + post(2))).toEqual([`${long} 1`, `${long} 2`])
})

it('reads the name of a member beside a letter that stands for the picture', () => {
  const post = (n: number): string => `<li class="post" id="post-${n}"><a href="/u"><span class="avatar">Y</span><span class="visually-hidden">yes, away</span></a><div itemprop="author"><div><a href="/u"><span class="avatar">Y</span></a></div><div><a href="/u">Ann ${n}</a></div></div><p>${long} ${n}</p></li>`
  expect(left(`<ul>${post(1)}${post(2)}</ul>`)).toEqual([1, 2].flatMap((n) => [`Ann ${n}`, `${long} ${n}`]))
})

it.each(['class="poll"', 'itemprop="text"'])('does not look through a post once for each of many boxes in each other: %s', (box) => {
  const post = (n: number, boxes: number): string => `<div id="post-${n}">${`<div ${box}>`.repeat(boxes)}${`<p>${long}</p>`.repeat(6 * boxes)}${'</div>'.repeat(boxes)}</div>`
  // Boxes times paragraphs, once, are the square; that for each box, the cube.
  expect(growth((boxes) => post(1, boxes) + post(2, boxes), left, 60, 240)).toBeLessThan(2.1)
})

it('keeps short answers to a long text, when all say who wrote them and when', () => {
  const answer = (n: number, by = `<a class="author">Hexley ${n}</a> answered <time>on May ${n}</time>`): string => `<li class="entry"><div class="head"><img><p>${by}</p></div><div><button>Like</button><div class="note-body"><p>It holds, ${n}.</p></div></div></li>`
  const page = (answers: string, url?: string): readonly string[] => left(`<h1>Loom yes</h1><p>${long}</p><ul>${answers}</ul>`, url).slice(2)
  expect(page(answer(1) + answer(2))).toEqual(['Hexley 1 answered on May 1', 'It holds, 1.', 'Hexley 2 answered on May 2', 'It holds, 2.'])
  expect(page(answer(1) + answer(2, 'Hexley'))).toEqual([])
  expect(page(answer(1) + answer(2), 'https://site.example/a')).toEqual([])
})
