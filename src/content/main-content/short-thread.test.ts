import { expect, it } from 'vitest'
import { readDefaults } from '../../domain/pages/reading.ts'
import { read } from '../reading.ts'

function markdownOf(body: string): string {
  const html = `<!doctype html><title>Skiff</title><body><nav><a href=/a>Boats</a></nav>${body}</body>`
  return read({ requestedUrl: 'https://docs.example/skiff', url: 'https://docs.example/skiff', status: 200, headers: [['content-type', 'text/html']], body: Buffer.from(html), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }, readDefaults).markdown()
}

const prose = 'A skiff of oak and larch, built in the winter and launched at Easter, for two who row and one who sleeps.'

it('says who wrote what in a short discussion in the rows of a table', () => {
  const row = (name: string, text: string): string => `<tr class="athing comtr"><td><table><tr><td class=ind indent=0><img src=s.gif width=0></td><td><a href="vote"><div title=upvote></div></a></td><td class=default><div><span class=comhead><a href="user?id=${name}" class=hnuser>${name}</a> <span class=age title="2024-03-01T10:00:00"><a href="item">2 hours ago</a></span></span></div><div class=comment><div class="commtext c00">${text}</div></div></td></tr></table></td></tr>`
  const post = '<table class=fatitem><tr class="athing submission"><td class=title></td><td class=title><span class=titleline><a href="https://yard.example/">Show: a skiff in 200 hours</a></span></td></tr><tr><td colspan=2></td><td class=subtext><span class=score>142 points</span> by <a href="user?id=ann" class=hnuser>ann</a> <span class=age title="2024-03-01"><a href="item">3 hours ago</a></span></td></tr></table>'
  const texts = [prose, 'I built one like it ten years ago, and the part that took the longest was to bend the planks.', 'There is a box for steam in the yard, which holds eight planks and needs an hour for each of them.']
  const bar = '<tr><td><table><tr><td><b><a href="news">Boards</a></b> <a href="newest">new</a> | <a href="newcomments">comments</a> | <a href="ask">ask</a> | <a href="submit">submit</a></td><td><a href="login">login</a></td></tr></table></td></tr>'
  const foot = '<tr><td><center><a href="guidelines">Guidelines</a> | <a href="faq">FAQ</a> | <a href="lists">Lists</a> | <a href="legal">Legal</a><form action="/search">Search: <input name=q></form></center></td></tr>'
  const said = markdownOf(`<center><table>${bar}<tr><td>${post}<br><table class=comment-tree>${texts.map((text, i) => row(['bob', 'cid', 'eve'][i] ?? '', text)).join('')}</table></td></tr>${foot}</table></center>`)
  expect(said.replace(/\]\([^)]*\)/g, ']')).toBe(`# [Show: a skiff in 200 hours]\n\n142 points by [ann] [3 hours ago]\n\n[bob] [2 hours ago]\n\n${texts[0]}\n\n[cid] [2 hours ago]\n\n${texts[1]}\n\n[eve] [2 hours ago]\n\n${texts[2]}\n`)
})
