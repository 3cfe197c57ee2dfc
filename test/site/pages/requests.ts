import { document, escape, htmlType, type Pages, type Visit } from '../page.ts'

/** The pairs of a cookie header. */
function cookiesOf(visit: Visit): Readonly<Record<string, string>> {
  const pairs = (visit.headers.cookie ?? '').split(/; */).filter((pair) => pair !== '')
  return Object.fromEntries(pairs.map((pair) => [pair.split('=', 1)[0] ?? '', pair.slice(pair.indexOf('=') + 1)]))
}

/** Pages that show their request. */
export const requests: Pages = {
  '/echo': (visit, answer) => {
    const rows = Object.entries(visit.headers).map(([name, value]) => `<tr><td>${escape(name)}</td><td>${escape(String(value))}</td></tr>`)
    answer.send(200, { 'content-type': htmlType }, document('Your request', `<main><h1>${escape(visit.method)} ${escape(visit.url)}</h1><table><tr><th>Header</th><th>Value</th></tr>${rows.join('')}</table></main>`))
  },
  '/echo.json': (visit, answer) => {
    const { method, url, headers, rawHeaders, body, httpVersion } = visit
    answer.send(200, { 'content-type': 'application/json' }, JSON.stringify({ method, url, headers, rawHeaders, body, httpVersion }))
  },
  '/language': (visit, answer) => {
    const language = (visit.headers['accept-language'] ?? 'en').split(/[,;-]/, 1)[0] ?? 'en'
    const words: Readonly<Record<string, string>> = { de: 'Guten Tag', fr: 'Bonjour', ja: 'こんにちは', en: 'Good day' }
    const word = words[language] ?? 'Good day'
    answer.send(200, { 'content-type': htmlType, vary: 'accept-language' }, `<!doctype html><html lang="${escape(language)}"><head><title>${word}</title></head><body><main><h1>${word}</h1></main></body></html>`)
  },
  '/cookies/set': (_visit, answer) => answer.send(302, { location: '/cookies/show', 'set-cookie': ['visit=first; Path=/', 'secret=s3; Path=/cookies; HttpOnly', 'far=away; Path=/elsewhere'] }),
  '/cookies/show': (visit, answer) => {
    const rows = Object.entries(cookiesOf(visit)).map(([name, value]) => `<li>${escape(name)}=${escape(value)}</li>`)
    answer.send(200, { 'content-type': htmlType }, document('Cookies', `<main><h1>Cookies</h1><ul>${rows.join('')}</ul></main>`))
  },
  '/cookies/needed': (visit, answer) => {
    if (cookiesOf(visit)['door'] === 'open') answer.send(200, { 'content-type': htmlType }, document('Inside', '<main><h1>Inside</h1><p>The door was open.</p></main>'))
    else answer.send(307, { location: '/cookies/needed', 'set-cookie': 'door=open; Path=/' })
  },
  '/user-agent': (visit, answer) => {
    const robot = /bot|curl|node|python|headless|undici|axios/i.test(visit.headers['user-agent'] ?? 'node')
    answer.send(robot ? 403 : 200, { 'content-type': htmlType }, document(robot ? 'Forbidden' : 'Welcome', `<main><h1>${robot ? 'No robots here' : 'Welcome'}</h1></main>`))
  },
  '/auth/basic': (visit, answer) => {
    const right = visit.headers.authorization === `Basic ${Buffer.from('reader:tide').toString('base64')}`
    const headers = { 'content-type': htmlType, 'www-authenticate': 'Basic realm="harbour"' }
    answer.send(right ? 200 : 401, headers, document(right ? 'Members' : 'Unauthorized', `<main><h1>${right ? 'Members' : 'Password needed'}</h1></main>`))
  },
}
