import { document, htmlType, page, type Pages } from '../page.ts'

const consent = `<div id="consent-dialog" class="cookie-banner" role="dialog" aria-modal="true" aria-label="Cookie consent"><h2>We value your privacy</h2><p>We and our 842 partners store and read cookies on your device. You can accept all or manage your choices.</p><button>Accept all</button> <button>Reject all</button></div>`

const article = '<main><article><h1>Behind the wall MARK</h1><p>The harbour office keeps the tide tables of the last hundred years here. They are read by sailors, fishers and by those who build at the shore, and they are corrected once a year.</p><p>Whoever wants to know when the water was highest finds the day, the hour and the wind.</p></article></main>'

/** The content of a bot challenge. */
const test = '<div role="main" class="cf-turnstile"><h1>site.example</h1><p>Checking your browser before accessing the site.</p></div>'

// A client that listens to the console inspects the values that are logged, and traps can detect that.
const traps = String.raw`function listeners() {
  const seen = []
  Error.prepareStackTrace = () => (seen.push('stack'), '')
  console.debug(new Error('x'))
  delete Error.prepareStackTrace
  console.table(new Proxy({}, { ownKeys: () => (seen.push('keys'), []) }))
  return seen
}`

/** Lets visitors in unless pages and workers show a trace of a browser driver. */
const driverTest = `<script type="module">
${traps}
const worker = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(`${traps}; postMessage(listeners().map((one) => 'worker ' + one))`)}])))
const traces = [
  ...listeners(),
  ...(navigator.webdriver ? ['webdriver'] : []),
  ...Object.getOwnPropertyNames(globalThis).filter((name) => /playwright|puppeteer|selenium|^__pw|^cdc_|^\\$cdc/i.test(name)),
  ...(/playwright/i.test(globalThis.ServiceWorkerContainer?.prototype.register) ? ['register'] : []),
  ...(await new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)))),
]
if (traces.length === 0) {
  document.title = 'Tide tables'
  document.body.innerHTML = ${JSON.stringify(article)}
} else document.querySelector('p').append(' Found: ' + [...new Set(traces)].join(', '))
</script>`

// What every place that runs scripts can tell about its visitor.
const visitor = `const told = async () => { const { userAgent, platform, languages, language, hardwareConcurrency, userAgentData } = navigator; return { userAgent, platform, languages, language, hardwareConcurrency, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone, locale: Intl.DateTimeFormat().resolvedOptions().locale, hints: userAgentData?.toJSON(), full: (await userAgentData?.getHighEntropyValues(['fullVersionList']))?.fullVersionList } }`

/**
 * Collects what workers of every kind, a frame of another site and a window tell about their visitor; omits those that
 * do not answer in time.
 */
const everywhere = `<pre id="report" aria-busy="true"></pre><script type="module">
${visitor}
const blob = (text) => URL.createObjectURL(new Blob([text]))
const says = ${JSON.stringify(`${visitor}; told().then((seen) => postMessage(seen))`)}
const message = (target) => new Promise((resolve) => { target.onmessage = ({ data }) => resolve(data); target.start?.() })
const other = new URL('/walls/everywhere/frame', location.href)
other.hostname = location.hostname === 'localhost' ? '127.0.0.1' : 'localhost'
const frame = document.body.appendChild(document.createElement('iframe'))
const windows = new Map()
addEventListener('message', ({ data, source }) => windows.get(source === frame.contentWindow ? 'frame' : 'window')?.(data))
const from = (name) => new Promise((resolve) => windows.set(name, resolve))
const places = {
  worker: message(new Worker(blob(says))),
  nested: message(new Worker(blob('new Worker(' + JSON.stringify(blob(says)) + ').onmessage = ({ data }) => postMessage(data)'))),
  shared: message(new SharedWorker(blob(${JSON.stringify(`${visitor}; onconnect = ({ ports: [port] }) => told().then((seen) => port.postMessage(seen))`)})).port),
  frame: from('frame'),
}
frame.src = other
const all = { main: await told() }
const note = async ([name, place]) => { all[name] = await Promise.race([place, new Promise((resolve) => setTimeout(resolve, 4000))]) }
await Promise.all(Object.entries(places).map(note))
// Last: it covers this window, and what is covered is slow.
const opener = document.body.appendChild(document.createElement('button'))
opener.onclick = () => open('/walls/everywhere/frame')
opener.click()
await note(['window', from('window')])
document.getElementById('report').textContent = JSON.stringify(all)
document.getElementById('report').removeAttribute('aria-busy')
</script>`

/** Pages that answer 200 or 403 but are not the requested page. */
export const walls: Pages = {
  '/walls/login': page(document('Log in', '<main><h1>Log in to continue</h1><form action="/session" method="post"><label>E-mail <input type="email" name="email"></label><label>Password <input type="password" name="password"></label><button>Log in</button></form><p><a href="/forgot">Forgot your password?</a></p></main>')),
  '/walls/login-redirect': (_visit, answer) => answer.send(302, { location: '/walls/login?next=%2Fmembers' }),
  '/walls/challenge': page(
    '<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title><meta http-equiv="refresh" content="360"><meta name="robots" content="noindex,nofollow"></head><body><div class="main-wrapper" role="main"><h1>site.example</h1><p id="cf-spinner">Checking your browser before accessing the site.</p><noscript>Enable JavaScript and cookies to continue</noscript><div id="challenge-form"></div></div><script>window._cf_chl_opt={cvId:"3",cType:"managed"};</script><script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script></body></html>',
    { server: 'cloudflare', 'cf-mitigated': 'challenge', 'cf-ray': '8000000000000000-TST' },
    403,
  ),
  /** A script removes the challenge text without any request. */
  '/walls/silent': page('<!DOCTYPE html><html><head><title>Pardon Our Interruption</title></head><body><div class="container"><h1>Pardon Our Interruption</h1><p>Something about your browser made us think you were a bot.</p></div><script>document.querySelector(".container").remove()</script></body></html>'),
  /** Known addresses get the page, all others a challenge; with `?cut`, the connection is broken off instead. */
  '/walls/address': (visit, answer) => {
    if (visit.from === '127.0.0.2') return answer.send(200, { 'content-type': htmlType }, document('Tide tables', article))
    if (visit.query.has('cut')) return answer.cut()
    return answer.send(403, { 'content-type': htmlType, server: 'cloudflare', 'cf-mitigated': 'challenge' }, document('Just a moment...', test))
  },
  /** Refuses without any detail except the name of the server. */
  '/walls/refused': (visit, answer) => answer.send(visit.number('status', 403), { 'content-type': htmlType, server: visit.query.get('server') ?? 'nginx' }, document('Forbidden', '<h1>Forbidden</h1>')),
  '/walls/driver': page(document('Just a moment...', `${test}${driverTest}`)),
  '/walls/everywhere': page(document('Everywhere', everywhere)),
  '/walls/everywhere/frame': page(document('Frame', `<script>${visitor}; told().then((seen) => (opener ?? parent).postMessage({ ...seen, width: screen.width, webdriver: navigator.webdriver, chrome: typeof chrome, plugins: navigator.plugins.length }, '*'))</script>`)),
  '/walls/captcha': page(document('Are you a robot?', '<main><h1>Please verify you are a human</h1><p>Unusual traffic has been detected from your network.</p><form><div class="g-recaptcha" data-sitekey="test"></div><button>Continue</button></form></main>', '<script src="/captcha/api.js" async defer></script>\n')),
  '/walls/empty-shell': page('<!doctype html><html lang="en"><head><meta charset="utf-8"><title>App</title><script type="module" src="/assets/index-4f1c.js"></script></head><body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div></body></html>'),
  '/walls/empty': page('<!doctype html><html><head><title></title></head><body></body></html>'),
  '/walls/consent': page(document('Before you continue', `<main><h1>Before you continue</h1>${consent}</main>`)),
  /** The page is there, under a dialog. */
  '/walls/consent-over-article': page(document('Harbour news', `<main><article><h1>Dredging starts in May</h1><p>The channel is to be dredged to nine metres, the harbour office says. Work begins on the second of May and goes on for six weeks.</p><p>Ferries keep to their timetable; fishing boats are asked to use the east entrance while the dredger lies in the channel.</p></article></main>${consent}`)),
}
