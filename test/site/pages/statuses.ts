import { document, htmlType, page, type Pages } from '../page.ts'

/** Statuses other than 200, and pages that only look like them. */
export const statuses: Pages = {
  '/status/404': page(document('Page not found', '<main><h1>404</h1><p>We could not find that page.</p></main>'), {}, 404),
  '/status/410': page(document('Gone', '<main><h1>410</h1><p>That page was removed.</p></main>'), {}, 410),
  '/status/403': page(document('Forbidden', '<main><h1>403 Forbidden</h1><p>You may not see this.</p></main>'), {}, 403),
  '/status/429': page(document('Too many requests', '<main><h1>429</h1><p>Slow down, please.</p></main>'), { 'retry-after': '7' }, 429),
  '/status/500': page(document('Server error', '<main><h1>500</h1><p>Something broke on our side.</p></main>'), {}, 500),
  '/status/503': page(document('Unavailable', '<main><h1>503</h1><p>Down for repairs.</p></main>'), { 'retry-after': '1' }, 503),
  '/status/204': (_visit, answer) => answer.send(204, {}),
  /** A status without a body: `/status/bare?code=404`. */
  '/status/bare': (visit, answer) => answer.send(visit.number('code', 404), { 'content-type': htmlType }),
  '/status/304': (_visit, answer) => answer.send(304, { etag: '"one"' }),
  /** Any status: `/status/any?code=418`. */
  '/status/any': (visit, answer) => answer.send(visit.number('code', 418), { 'content-type': htmlType }, document('Status', '<main><h1>Status</h1><p>As you asked for it.</p></main>')),
  /** Fails `times` times, then succeeds. */
  '/status/flaky': (visit, answer) => {
    const failing = visit.count <= visit.number('times', 1)
    answer.send(failing ? 503 : 200, { 'content-type': htmlType }, document(failing ? 'Unavailable' : 'Recovered', `<main><h1>${failing ? 'Not yet' : 'Recovered'}</h1></main>`))
  },
  '/soft-404': page(document('Page not found', '<main><h1>Page not found</h1><p>Sorry, the page you are looking for does not exist. It may have been moved or deleted.</p><p><a href="/">Back to the start</a></p></main>')),
}
