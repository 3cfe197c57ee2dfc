import { document, type Headers, htmlType, type Page, type Pages, type Visit } from '../page.ts'

const modified = 'Sat, 21 Nov 2020 10:00:00 GMT'

/**
 * The edition of a page, which determines its text and its tag: `?edition=b` is another one, `?edition=a,b` changes at
 * the second visit.
 */
function editionOf(visit: Visit): string {
  const editions = (visit.query.get('edition') ?? 'a').split(',')
  return editions[Math.min(visit.count, editions.length) - 1] ?? 'a'
}

const text = (edition: string): string =>
  document(`Edition ${edition}`, `<main><h1>Edition ${edition}</h1><p>${'These words are those of the edition, and come again with it. '.repeat(20)}</p><p><a href="/page/1">A page</a></p></main>`)

interface Answering {
  /** The validators of the page. */
  readonly about: (edition: string) => Headers
  /** Whether the site considers the client's copy current. */
  readonly same: (visit: Visit, edition: string) => boolean
  /** The headers of a 304. */
  readonly unmodified?: (edition: string) => Headers
}

function conditional({ about, same, unmodified = about }: Answering): Page {
  return (visit, answer) => {
    const edition = editionOf(visit)
    if (same(visit, edition)) answer.send(304, unmodified(edition))
    else answer.send(200, { 'content-type': htmlType, ...about(edition) }, text(edition))
  }
}

const opaque = (tag: string | undefined): string => (tag ?? '').replace(/^W\//, '')
const sameTag = (visit: Visit, edition: string): boolean => opaque(visit.headers['if-none-match']) === `"${edition}"`

/** Pages with validators, which answer conditional requests with 304; some of them lie. */
export const cached: Pages = {
  '/cached/strong': conditional({ about: (edition) => ({ etag: `"${edition}"`, 'x-edition': edition }), same: sameTag }),
  /** Servers that compress a page weaken its tag, but not the tag of the 304. */
  '/cached/weak': conditional({ about: (edition) => ({ etag: `W/"${edition}"` }), same: sameTag, unmodified: (edition) => ({ etag: `"${edition}"` }) }),
  '/cached/dated': conditional({ about: () => ({ 'last-modified': modified }), same: (visit) => visit.headers['if-modified-since'] === modified }),
  /** Without validators. */
  '/cached/bare': conditional({ about: () => ({}), same: () => false }),
  '/cached/moved': (_visit, answer) => answer.send(302, { location: '/cached/strong' }),
  '/cached/lies/other': conditional({ about: (edition) => ({ etag: `"${edition}"` }), same: sameTag, unmodified: () => ({ etag: '"other"' }) }),
  '/cached/lies/unasked': conditional({ about: () => ({}), same: (visit) => visit.count === 2 }),
  '/cached/lies/always': conditional({ about: () => ({}), same: (visit) => visit.count > 1 }),
  '/cached/lies/precondition': (visit, answer) => {
    if (visit.headers['if-none-match'] === undefined) answer.send(200, { 'content-type': htmlType, etag: '"a"' }, text('a'))
    else answer.send(412, { 'content-type': htmlType }, document('Precondition failed', '<h1>Precondition failed</h1>'))
  },
}
