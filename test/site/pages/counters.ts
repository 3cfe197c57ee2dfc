import { document, htmlType, type Pages } from '../page.ts'

function numbered(name: string): string {
  const next = Number.isInteger(Number(name)) ? `<p><a href="/page/${Number(name) + 1}">Next</a></p>` : ''
  return document(`Page ${name}`, `<main><h1>Page ${name}</h1><p>This is the text of page ${name}, and of no other page on this site.</p>${next}</main>`)
}

/** Pages that change with each visit, and endless pages. */
export const counters: Pages = {
  '/counter': (visit, answer) => answer.send(200, { 'content-type': htmlType }, document('Counter', `<main><h1>Visit ${visit.count}</h1><p>This page has been asked for ${visit.count} times.</p></main>`)),
  /** The same, but not cacheable. */
  '/counter/no-store': (visit, answer) => answer.send(200, { 'content-type': htmlType, 'cache-control': 'no-store' }, document('Counter', `<main><h1>Visit ${visit.count}</h1></main>`)),
  /** `/page/7`: a page for each number. */
  '/page/*': (visit, answer) => answer.send(200, { 'content-type': htmlType }, numbered(decodeURIComponent(visit.path.slice('/page/'.length)).replaceAll(/[<>&"]/g, ''))),
}
