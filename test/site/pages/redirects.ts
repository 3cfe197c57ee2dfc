import { document, page, type Page, type Pages } from '../page.ts'

function to(location: string, status = 302): Page {
  return (_visit, answer) => answer.send(status, { location })
}

/** Redirects of every status, and some that a careful client does not follow. */
export const redirects: Pages = {
  '/redirect/landing': page(document('Landing', '<main><h1>Landing</h1><p>You have arrived, and this is where the redirects end.</p></main>')),
  '/redirect/301': to('/redirect/landing', 301),
  '/redirect/302': to('/redirect/landing', 302),
  '/redirect/303': to('/redirect/landing', 303),
  '/redirect/307': to('/redirect/landing', 307),
  '/redirect/308': to('/redirect/landing', 308),
  /** One redirect of each status, then the landing page. */
  '/redirect/all': to('/redirect/all/2', 301),
  '/redirect/all/2': to('/redirect/all/3', 302),
  '/redirect/all/3': to('/redirect/all/4', 303),
  '/redirect/all/4': to('/redirect/308', 307),
  /** `/redirect/chain/7` redirects seven times. */
  '/redirect/chain/*': (visit, answer) => {
    const left = Number(visit.path.split('/').at(-1))
    answer.send(302, { location: left > 1 ? `/redirect/chain/${left - 1}` : '/redirect/landing' })
  },
  '/redirect/loop': to('/redirect/loop'),
  '/redirect/ping': to('/redirect/pong'),
  '/redirect/pong': to('/redirect/ping'),
  '/redirect/relative': to('landing'),
  '/redirect/dots': to('../redirect/./landing#part'),
  '/redirect/query': to('?here=1'),
  '/redirect/absolute': (visit, answer) => answer.send(302, { location: `${visit.origin}/redirect/landing` }),
  /** The same site under another name. */
  '/redirect/cross-host': (visit, answer) => answer.send(302, { location: `http://localhost:${visit.port}/redirect/landing` }),
  '/redirect/cross-host/echo': (visit, answer) => answer.send(302, { location: `http://localhost:${visit.port}/echo.json` }),
  '/redirect/private': to('http://10.255.255.1/inside'),
  '/redirect/metadata': to('http://169.254.169.254/latest/meta-data/'),
  '/redirect/loopback-other-port': to('http://127.0.0.1:9/'),
  '/redirect/decimal-address': to('http://2130706433/'),
  '/redirect/mapped-address': to('http://[::ffff:10.0.0.1]/'),
  '/redirect/https': (visit, answer) => answer.send(302, { location: `https://127.0.0.1:${visit.port}/redirect/landing` }),
  '/redirect/file': to('file:///etc/hostname'),
  '/redirect/script': to('javascript:alert(1)'),
  '/redirect/data': to('data:text/html,<h1>data</h1>'),
  '/redirect/empty': to(''),
  '/redirect/broken': to('http://[not an address'),
  '/redirect/without-location': (_visit, answer) => answer.send(302, { 'content-type': 'text/html' }, '<p>Moved, but nobody says where.</p>'),
  '/redirect/choices': (_visit, answer) => answer.send(300, { 'content-type': 'text/html' }, '<p>There are several, and nobody says which.</p>'),
  '/redirect/with-body': (_visit, answer) => answer.send(302, { location: '/redirect/landing', 'content-type': 'text/html' }, '<p>This is not the page.</p>'),
  /** Redirects to `url` with `status`. */
  '/redirect/to': (visit, answer) => answer.send(visit.number('status', 302), { location: visit.query.get('url') ?? '/redirect/landing' }),
  '/redirect/stub': page('<!doctype html><html><head><title>Redirecting…</title><meta http-equiv="refresh" content="0; url=/redirect/landing"></head><body><h1>Redirecting…</h1><a href="/redirect/landing">Click here if you are not redirected.</a></body></html>'),
  '/redirect/meta-refresh': page('<!doctype html><html><head><meta http-equiv="refresh" content="0; url=/redirect/landing"><title>Moving</title></head><body></body></html>'),
  /** By the header that browsers treat like a `meta` refresh. */
  '/redirect/refresh-header': (_visit, answer) => answer.send(200, { 'content-type': 'text/html', refresh: '0; url=/redirect/landing' }, '<p>Moving.</p>'),
  '/redirect/refresh-empty': (_visit, answer) => answer.send(200, { refresh: '0;/redirect/landing' }, ''),
  /** Reloads itself endlessly. */
  '/redirect/reload': page('<!doctype html><html><head><title>Wait</title><script>setTimeout(() => location.reload(), 10)</script></head><body><div id="root"></div></body></html>'),
}
