import { document, htmlType, type Page, page, type Pages } from '../page.ts'

const paragraph = 'The ferry leaves the inner harbour at seven and calls at both islands before noon. '

function scripted(title: string, script: string, body = '<div id="root"></div>'): Page {
  return page(document(title, `${body}\n<script>${script}</script>`))
}

/** Speculation rules that prefetch a page at once. */
const rulesFor = (name: string): string => JSON.stringify({ prefetch: [{ source: 'list', urls: [`/scripts/ahead/${name}`], eagerness: 'immediate' }] })

const script = { 'content-type': 'text/javascript' }

const fill = `const root = document.getElementById('root'); function show(text) { root.innerHTML = '<h1>' + text + '</h1><p>' + ${JSON.stringify(paragraph)}.repeat(8) + '</p>' }`

// One function for pages, frames and workers: it omits what is missing there.
const report = String.raw`async function report() {
  const { userAgent, appVersion, platform, vendor, languages, language, hardwareConcurrency, deviceMemory, webdriver, maxTouchPoints, userAgentData } = navigator
  const seen = { userAgent, appVersion, platform, languages, language, hardwareConcurrency, deviceMemory, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone, locale: Intl.DateTimeFormat().resolvedOptions().locale, offset: new Date(2026, 0, 15).getTimezoneOffset(), number: (1234.5).toLocaleString() }
  if (userAgentData) Object.assign(seen, { hints: userAgentData.toJSON(), entropy: await userAgentData.getHighEntropyValues(['architecture', 'bitness', 'model', 'platformVersion', 'fullVersionList', 'formFactors', 'wow64']) })
  if (typeof window === 'undefined') return seen
  const permission = async (name) => (await navigator.permissions.query({ name })).state
  return Object.assign(seen, {
    vendor, webdriver, maxTouchPoints, touchEvents: 'ontouchstart' in window, pointer: ['fine', 'coarse'].filter((one) => matchMedia('(pointer: ' + one + ')').matches), hover: matchMedia('(hover: hover)').matches,
    plugins: [...navigator.plugins].map((one) => one.name), mimeTypes: [...navigator.mimeTypes].map((one) => one.type), pdfViewerEnabled: navigator.pdfViewerEnabled, pluginKind: String(navigator.plugins), pluginsOwn: Object.keys(Object.getOwnPropertyDescriptors(navigator)),
    screen: { width: screen.width, height: screen.height, availWidth: screen.availWidth, availHeight: screen.availHeight, depth: screen.colorDepth, orientation: screen.orientation.type },
    window: { innerWidth, innerHeight, outerWidth, outerHeight, devicePixelRatio, dppx: matchMedia('(resolution: ' + devicePixelRatio + 'dppx)').matches },
    chrome: typeof chrome, notification: typeof Notification === 'undefined' ? null : Notification.permission, notifications: await permission('notifications'), geolocation: await permission('geolocation'),
  })
}`

const reportMain = String.raw`async () => {
  const frames = new Promise((resolve) => {
    const seen = []
    addEventListener('message', ({ data }) => { if (seen.push(data) === 2) resolve(seen) })
  })
  const worker = new Promise((resolve) => { new Worker('/scripts/report/worker.js').onmessage = ({ data }) => resolve(data) })
  const position = new Promise((resolve) => navigator.geolocation.getCurrentPosition(({ coords }) => resolve([coords.latitude, coords.longitude]), (error) => resolve(error.code)))
  const fetched = (await (await fetch('/echo.json')).json()).headers
  const place = await Promise.race([position, new Promise((resolve) => setTimeout(resolve, 1000, null))])
  const all = { navigation, fetched, main: await report(), frames: await frames, worker: await worker, place }
  const out = document.getElementById('report')
  out.textContent = JSON.stringify(all)
  out.removeAttribute('aria-busy')
}`

/** Pages whose content is created by scripts. */
export const scripts: Pages = {
  '/scripts/inline': scripted('Inline', `${fill}; show('Inline MARK')`),
  '/scripts/fetched': scripted('Fetched', `${fill}; fetch('/scripts/data.json?after=300').then((r) => r.json()).then((d) => show(d.text))`),
  '/scripts/fetched-after-load': scripted('Late', `${fill}; addEventListener('load', () => setTimeout(() => fetch('/scripts/data.json?after=200').then((r) => r.json()).then((d) => show(d.text)), 300))`),
  '/scripts/chained': scripted('Chained', `${fill}; (async () => { let last; for (let i = 0; i < 4; i++) last = await (await fetch('/scripts/data.json?after=100&n=' + i)).json(); show(last.text) })()`),
  /** Says most of its text without scripts, and that there is more with them. */
  '/scripts/in-part': scripted('In part', `${fill}; show('The rest MARK')`, `<div id="root"></div><noscript>Please enable JavaScript.</noscript><p>${paragraph.repeat(4)}</p>`),
  '/scripts/timer': scripted('Timer', `${fill}; setTimeout(() => show('Timer MARK'), 600)`),
  '/scripts/data.json': async (visit, answer) => {
    await visit.later(visit.number('after', 0))
    answer.send(200, { 'content-type': 'application/json' }, JSON.stringify({ text: 'Fetched MARK' }))
  },
  /** Polls endlessly with slow answers, so that a request is always pending. */
  '/scripts/polls': scripted('Polls', `${fill}; show('Polling MARK'); (async () => { for (;;) await fetch('/scripts/data.json?after=20000') })()`),
  '/scripts/polls-fast': scripted('Polls fast', `${fill}; show('Polling MARK'); setInterval(() => fetch('/scripts/data.json?after=20'), 60)`),
  /** Fetches more than it reads, as routers do that load pages ahead; the browser reports no end of what it does not store, either. */
  '/scripts/unread': scripted('Unread', "document.getElementById('root').innerHTML = '<h1>Unread MARK</h1><p>The ferry leaves at seven.</p>'; fetch('/scripts/unread-data')"),
  '/scripts/unread-data': page('The ferry leaves at eight.', { 'content-type': 'text/plain', 'cache-control': 'no-store' }),
  /** Shows little until the rest of an answer comes, of which the first bytes took no time. */
  '/scripts/begun': scripted('Begun', `${fill}; fetch('/scripts/begun-data').then((r) => r.json()).then((d) => show(d.text))`),
  '/scripts/begun-data': async (visit, answer) => {
    answer.head(200, { 'content-type': 'application/json' })
    await visit.later(4_500)
    await answer.write(JSON.stringify({ text: 'Begun MARK' }))
    answer.end()
  },
  /** An endless stream feeds the page. */
  '/scripts/streams': scripted('Streams', `${fill}; show('Stream MARK'); const list = document.body.appendChild(document.createElement('ul')); fetch('/scripts/stream').then(async (r) => { const reader = r.body.getReader(); for (;;) { const { value, done } = await reader.read(); if (done) break; const item = document.createElement('li'); item.textContent = new TextDecoder().decode(value); list.append(item) } })`),
  '/scripts/stream': async (visit, answer) => {
    answer.head(200, { 'content-type': 'text/plain' })
    for (let i = 0; i < 200 && (await answer.write(`tick ${i}\n`)); i++) await visit.later(visit.number('ms', 100))
    answer.end()
  },
  '/scripts/clock': scripted('Clock', `${fill}; show('Clock MARK'); const clock = document.body.appendChild(document.createElement('p')); let n = 0; setInterval(() => { clock.textContent = 'tick ' + n++ }, 40)`),
  '/scripts/loops': scripted('Loops', `${fill}; show('Loop MARK'); setTimeout(() => { for (;;) ; }, 50)`),
  '/scripts/redirects': scripted('Gone on', `setTimeout(() => { location.replace('/scripts/fetched?from=script') }, 100)`),
  '/scripts/goes-nowhere': scripted('Gone nowhere', `setTimeout(() => { location.replace('https://nowhere.invalid/') }, 100)`),
  '/scripts/refresh': page(document('Refresh', '<p>Please wait a moment.</p>', '<meta http-equiv="refresh" content="1; url=/scripts/inline">\n')),
  /** Opens windows: by script, by a link without a referrer, by a form, and an empty one that is then navigated. */
  '/scripts/windows': scripted('Windows', `${fill}; show('Windows MARK'); open('/scripts/window/1'); document.getElementById('away').click(); document.getElementById('send').submit(); open('about:blank').location = '/scripts/window/4'`, '<div id="root"></div><a id="away" href="/scripts/window/2" target="_blank" rel="noopener">away</a><form id="send" action="/scripts/window/3" target="_blank"></form>'),
  '/scripts/window/*': page(document('Window', '<p>Window text.</p>')),
  /** Shows the messages of its workers, of each kind, and of an event stream. */
  '/scripts/workers': scripted(
    'Workers',
    `${fill}; const said = (source) => new Promise((resolve) => (source.onmessage = ({ data }) => resolve(data))); Promise.all([said(new Worker('/scripts/workers/classic.js')), said(new Worker('/scripts/workers/module.js', { type: 'module' })), said(new SharedWorker('/scripts/workers/shared.js').port), said(new EventSource('/scripts/workers/events'))]).then((all) => show(all.join(', ') + ' MARK'))`,
  ),
  '/scripts/workers/classic.js': page("postMessage('classic')", script),
  '/scripts/workers/module.js': page("import { name } from './imported.js'; postMessage(name)", script),
  '/scripts/workers/imported.js': page("export const name = 'module'", script),
  '/scripts/workers/shared.js': page("onconnect = ({ ports: [port] }) => port.postMessage('shared')", script),
  '/scripts/workers/events': page('data: events\n\n', { 'content-type': 'text/event-stream' }),
  /** Makes the browser prefetch pages that nobody requested. */
  '/scripts/ahead': scripted(
    'Ahead',
    `${fill}; const box = document.createElement('div'); const late = document.createElement('script'); late.type = 'speculationrules'; late.textContent = '${rulesFor('scripted')}'; box.append(late); document.body.append(box); fetch('/scripts/data.json').then((answer) => answer.json()).then(() => show('Ahead MARK, Fetched MARK'))`,
    `<link rel="prefetch" href="/scripts/ahead/link"><link rel="prefetch" as="document" href="/scripts/ahead/document"><script type="speculationrules">${rulesFor('written')}</script><div id="root"></div>`,
  ),
  '/scripts/ahead/*': page(document('Later', '<p>Later text.</p>')),
  '/scripts/push-state': scripted('Routes', `${fill}; history.pushState({}, '', '/scripts/pushed/view'); show('Pushed MARK')`),
  '/scripts/broken-server': page(document('Broken', `<div id="root"></div><script>${fill}; show('Broken MARK')</script>`), {}, 500),
  '/scripts/bare-500': (_visit, answer) => answer.send(500, { 'content-type': htmlType }, ''),
  '/scripts/self-solving': (visit, answer) => {
    if (/(?:^|; )passed=1/.test(visit.headers.cookie ?? '')) answer.send(200, { 'content-type': htmlType }, document('Harbour', `<main><h1>Behind the wall MARK</h1><p>${paragraph.repeat(5)}</p></main>`))
    else answer.send(403, { 'content-type': htmlType, 'cf-mitigated': 'challenge' }, '<!doctype html><title>Just a moment...</title><body><div id="challenge-form">Checking your browser before accessing the site.</div><script>setTimeout(() => { document.cookie = "passed=1; path=/"; location.reload() }, 1500)</script></body>')
  },
  /** Breaks everything that code would use if it read the DOM with the page's own prototypes. */
  '/scripts/traps': scripted(
    'Traps',
    `${fill}; show('Trap MARK'); const lie = () => { throw new Error('trap') }; for (const [proto, name] of [[Element.prototype, 'outerHTML'], [Element.prototype, 'innerHTML'], [Node.prototype, 'childNodes'], [Node.prototype, 'lastChild'], [Node.prototype, 'previousSibling'], [Element.prototype, 'attributes'], [Document.prototype, 'documentElement'], [Document.prototype, 'readyState']]) Object.defineProperty(proto, name, { get: lie }); XMLSerializer.prototype.serializeToString = lie; Array.prototype.push = lie; String.prototype.replace = lie; Map.prototype.get = lie; Set.prototype.has = lie; window.MutationObserver = lie; window.setTimeout = lie; JSON.stringify = () => '"lied"'; Object.prototype.toJSON = () => 'lied'`,
    '<div id="root"></div><form id="form"><input name="attributes" value="clobbered"><input name="lastChild"><input name="nodeType"><p>Inside the form MARK</p></form>',
  ),
  /** A form, and pictures, named as what nodes and the document have; in the form stands that something is still to come. */
  '/scripts/clobbered': page(
    document('Clobbered', `${['body', 'documentElement', 'scrollingElement', 'elementFromPoint', 'querySelectorAll', 'createTreeWalker', 'createElement'].map((name) => `<img name="${name}" alt="">`).join('')}<form>${['nodeType', 'firstChild', 'nextSibling', 'parentNode', 'parentElement', 'localName', 'shadowRoot', 'textContent', 'children', 'childNodes'].map((name) => `<input type="hidden" name="${name}">`).join('')}<p id="late">Loading…</p></form><script>setTimeout(() => { document.getElementById('late').innerText = 'Arrived MARK' }, 2000)</script>`),
  ),
  '/scripts/shadow': scripted(
    'Shadow',
    `customElements.define('open-card', class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<style>p{color:red}</style><h2>Open shadow MARK</h2><slot name="a">fallback text</slot><slot></slot>' } }); customElements.define('closed-card', class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'closed' }).innerHTML = '<p>Closed shadow MARK</p><inner-card></inner-card>' } }); customElements.define('inner-card', class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'closed' }).innerHTML = '<p>Inner closed MARK</p>' } }); document.getElementById('plain').attachShadow({ mode: 'closed' }).innerHTML = '<p>Plain host MARK</p>'`,
    '<main><open-card><p>Slotted MARK</p><b slot="nowhere">Unslotted</b></open-card><closed-card></closed-card><div id="plain"></div></main>',
  ),
  /**
   * Shadow trees in the HTML itself: of components, of a plain element, nested, and with forwarded slots. The last
   * template is not declarative.
   */
  '/scripts/declared-shadow': page(
    document(
      'Declared',
      `<main><site-card><template shadowrootmode="open"><style>p{color:red}</style><header><h2><slot name="title">Untitled</slot></h2></header><site-frame><template shadowrootmode="closed"><section><slot></slot></section></template><slot></slot></site-frame><p>Signed: <slot name="by">nobody MARK</slot></p></template><p>${paragraph.repeat(3)}</p><span slot="title">Declared shadow MARK</span><b slot="nowhere">Unslotted</b></site-card><div><template shadowrootmode="open"><p>Plain host MARK. <a href="/articles/1">Onward</a></p></template><p>Covered</p></div><template><p>Never shown</p></template></main>`,
    ),
  ),
  /** Elements after a style sheet and a script have run; each id says whether a visitor sees the element. */
  '/scripts/unseen': scripted(
    'Unseen',
    `document.getElementById('seen-shown').style.display = 'block'; document.getElementById('seen-switched').hidden = false; document.getElementById('seen-host').attachShadow({ mode: 'open' }).innerHTML = '<p id="unseen-in-shadow" hidden>x</p><slot></slot>'`,
    `<style>.none{display:none} .invisible{visibility:hidden} .visible{visibility:visible} .clear{opacity:0} .over{position:absolute;top:9px} .small{position:absolute;width:1px;height:1px;overflow:hidden} .left{position:absolute;left:-9999px} .folded{height:0;overflow:hidden} .contents{display:contents} #seen-sheet{display:block !important}</style>
<h1 id="seen-title">Unseen MARK</h1><p id="seen-shown" style="display:none">x</p><p id="seen-sheet" style="display:none">x</p><p id="seen-switched" hidden>x</p><p id="seen-fading" class="clear">x</p><p id="seen-folded" class="folded">x</p>
<div id="seen-contents" class="contents"><p>x</p></div><div id="seen-host"><b id="seen-slotted">x</b></div><details><summary>x</summary><p id="seen-details">x</p></details><div id="seen-partly" class="invisible"><p id="seen-visible" class="visible">x</p></div><p id="seen-empty" hidden></p>
<p id="unseen-none" class="none"><b id="seen-within">x</b><b id="unseen-within" class="none">x</b></p><p id="unseen-hidden" hidden>x</p><p id="unseen-invisible" class="invisible"><b>x</b></p><p id="unseen-clear" class="clear over">x</p><p id="unseen-small" class="small">x</p><p id="unseen-left" class="left">x</p><img id="unseen-picture" class="none" src="/scripts/pic.png"><select><option id="seen-option">x</option></select><span class="small" id="seen-formula"><math><mi>x</mi></math></span>`,
  ),
  '/scripts/frameset': page('<!doctype html><html><head><title>Frameset</title></head><frameset cols="40%,60%"><frame src="/scripts/frames/inner?n=1"><frame src="/scripts/frames/inner?n=2"></frameset></html>'),
  '/scripts/frames': page(document('Frames', '<main><h1>Outside MARK</h1><iframe src="/scripts/frames/inner?n=1" width="400" height="200"></iframe><iframe srcdoc="&lt;p&gt;Inline frame MARK&lt;/p&gt;" width="300" height="100"></iframe><iframe src="/scripts/frames/inner?n=hidden" style="display:none"></iframe></main>')),
  /**
   * Frames that no browser shows: of a page that forbids framing, of a server without TLS, of a host that does not
   * exist.
   */
  '/scripts/frames/broken': (visit, answer) =>
    answer.send(200, { 'content-type': htmlType }, document('Broken frames', `<main><h1>Around frames MARK</h1><iframe src="/scripts/frames/unframed"></iframe><iframe src="https://${visit.headers.host ?? ''}/"></iframe><iframe src="https://nowhere.invalid/"></iframe></main>`)),
  '/scripts/frames/unframed': page(document('Unframed', '<p>Unframed text.</p>'), { 'x-frame-options': 'DENY' }),
  /**
   * Frames of another origin: a page with a frame of its own, one that only waits to be scrolled to, a sandboxed
   * document; and such as are no content: too small, not shown, an error, a bot check, an advertisement.
   */
  '/scripts/frames/foreign': (visit, answer) => {
    const other = `${visit.origin.replace('127.0.0.1', 'localhost')}/scripts/frames`
    const frame = (path: string, more: string): string => `<iframe src="${other}/${path}" ${more}></iframe>`
    const away = '<p id="unseen-first" hidden>x</p>'
    answer.send(200, { 'content-type': htmlType }, document('Foreign', `<main><h1>Outside MARK</h1>${away}${frame('outer', 'id="jobs" width="600" height="400"')}<p id="unseen-second" hidden>x</p><iframe sandbox srcdoc="&lt;p&gt;Sandboxed MARK&lt;/p&gt;" width="300" height="100"></iframe>${frame('inner?n=small', 'width="20" height="20"')}${frame('inner?n=none', 'style="display:none"')}${frame('refused', 'width="300" height="100"')}${frame('check', 'width="300" height="100"')}${frame('inner?n=ad', 'id="google_ads_1" width="300" height="250"')}<div style="height:9000px"></div>${frame('inner?n=lazy', 'loading="lazy" width="300" height="100"')}</main>`))
  },
  '/scripts/frames/outer': (visit, answer) =>
    answer.send(200, { 'content-type': htmlType }, document('Outer', `<h2>Outer frame MARK</h2><p id="unseen-third" hidden>x</p><p id="late"></p><iframe src="http://127.0.0.1:${new URL(visit.origin).port}/scripts/frames/inner?n=deep" width="300" height="100"></iframe><script>setTimeout(() => { late.textContent = 'Late MARK' }, 60)</script>`)),
  '/scripts/frames/refused': (_visit, answer) => answer.send(403, { 'content-type': htmlType }, document('Refused', '<p>Refused text.</p>')),
  '/scripts/frames/check': page('<!doctype html><html><head><title>Just a moment...</title></head><body><p>Verify you are human.</p><script src="/cdn-cgi/challenge-platform/x.js"></script></body></html>'),
  '/scripts/frames/inner': page(document('Inner', '<h2>Inner frame MARK</h2><p><a href="deep">deeper</a> <img src="../pic.png" alt="pic"></p>')),
  '/scripts/form': scripted('Form', `document.getElementById('name').value = 'typed MARK'; document.getElementById('box').checked = true; document.getElementById('area').value = 'area <MARK>'; document.getElementById('pick').value = 'b'; document.getElementById('secret').value = 'hidden secret'`, '<form><input id="name" value="old"><input id="box" type="checkbox"><textarea id="area">old</textarea><select id="pick"><option value="a" selected>A<option value="b">B</select><input id="secret" type="password"></form>'),
  '/scripts/xhtml': page('<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Sound</title></head><body><p id="p">Sent</p><script>document.getElementById("p").textContent = "Sound MARK"</script></body></html>', { 'content-type': 'application/xhtml+xml' }),
  '/scripts/xhtml-fault': page('<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Fault</title></head><body><p>Before MARK<br></p><p>After MARK</p></body></html>', { 'content-type': 'application/xhtml+xml' }),
  '/scripts/json': (_visit, answer) => answer.send(200, { 'content-type': 'application/json' }, '{"raw":true}'),
  '/scripts/download': (_visit, answer) => answer.send(200, { 'content-type': htmlType, 'content-disposition': 'attachment; filename="a.html"' }, '<p>downloaded</p>'),
  /**
   * Reports everything that a page can see of its visitor: in the page, in frames of the same and of another origin,
   * and in a worker.
   */
  '/scripts/report': (visit, answer) => {
    const seen = JSON.stringify(visit.headers).replaceAll('<', '\\u003c')
    const headers = { 'content-type': htmlType, 'accept-ch': 'Sec-CH-UA-Full-Version-List, Sec-CH-UA-Platform-Version, Sec-CH-UA-Model, Sec-CH-UA-Arch, Sec-CH-UA-Bitness, Sec-CH-UA-Mobile, Sec-CH-UA-Platform' }
    answer.send(200, headers, document('Report', `<pre id="report" aria-busy="true">…</pre><iframe src="/scripts/report/frame"></iframe><iframe src="${visit.origin.replace('127.0.0.1', 'localhost')}/scripts/report/frame"></iframe><script>${report}; const navigation = ${seen}; (${reportMain})()</script>`, '<meta name="viewport" content="width=device-width, initial-scale=1">\n'))
  },
  '/scripts/report/frame': (visit, answer) => answer.send(200, { 'content-type': htmlType }, document('Frame', `<script>${report}; report().then((seen) => parent.postMessage({ ...seen, headers: ${JSON.stringify(visit.headers).replaceAll('<', '\\u003c')} }, '*'))</script>`)),
  // As slow as a distant site: messages to a worker arrive while its script is still loading.
  '/scripts/report/worker.js': async (visit, answer) => {
    await visit.later(visit.number('ms', 150))
    answer.send(200, { 'content-type': 'text/javascript' }, `${report}; report().then(postMessage)`)
  },
  /** Taller than a window, with lazily loaded pictures. */
  '/scripts/gallery': page(document('Gallery', `<h1>Gallery</h1>${Array.from({ length: 12 }, (_, i) => `<p style="height:300px">Picture ${i}<br><img loading="lazy" src="/scripts/picture.svg?n=${i}" width="200" height="150"></p>`).join('')}<input autofocus value="caret">`)),
  '/scripts/picture.svg': (visit, answer) => answer.send(200, { 'content-type': 'image/svg+xml' }, `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="150"><rect width="200" height="150" fill="hsl(${visit.number('n', 0) * 30} 80% 50%)"/></svg>`),
  /** Its document is as tall as the window: `share` percent of that scroll. */
  '/scripts/scrolls-within': (visit, answer) => answer.send(200, { 'content-type': htmlType }, document('Within', `<style>html, body { height: 100%; margin: 0; overflow: hidden } #area { height: ${visit.number('share', 100)}vh; overflow-y: auto }</style><div id="area"><h1>Within</h1>${Array.from({ length: 10 }, (_, i) => `<p style="height:300px;margin:0">Picture ${i}<br><img loading="lazy" src="/scripts/picture.svg?n=${i}" width="200" height="150"></p>`).join('')}<p id="size"></p></div>`)),
  '/scripts/endless-height': page(document('Tall', '<h1>Tall</h1><div style="height:60000px;background:linear-gradient(red,blue)"></div>')),
  /** Loads a script from a host on every list of trackers; the test browser resolves that host to this site. */
  '/scripts/ads': (_visit, answer) => answer.send(200, { 'content-type': htmlType }, document('Ads', `<main><h1>Story</h1><p>${paragraph.repeat(4)}</p></main><p id="ad">no ad</p><img id="picture" src="/scripts/picture.svg?n=1"><script src="http://ad.doubleclick.net/scripts/ad.js"></script><script>addEventListener('load', () => { document.body.append('picture loaded') })</script>`)),
  '/scripts/ad.js': (_visit, answer) => answer.send(200, { 'content-type': 'text/javascript' }, "document.getElementById('ad').textContent = 'Buy now'"),
  /** A cookie dialog like that of a common vendor. */
  '/scripts/cookie-dialog': scripted(
    'Cookies',
    `const box = document.getElementById('onetrust-consent-sdk'); document.getElementById('onetrust-reject-all-handler').onclick = () => { box.remove(); document.cookie = 'OptanonAlertBoxClosed=1'; document.body.append('refused MARK') }; document.getElementById('onetrust-accept-btn-handler').onclick = () => { box.remove(); document.body.append('accepted') }`,
    `<main><h1>Story</h1><p>${paragraph.repeat(4)}</p></main><div id="onetrust-consent-sdk"><div id="onetrust-banner-sdk" role="dialog" aria-label="Cookie banner" style="position:fixed;bottom:0;width:100%;height:200px"><p>We use cookies and similar technologies. Do you agree?</p><button id="onetrust-accept-btn-handler">Accept all</button><button id="onetrust-reject-all-handler">Reject all</button></div></div>`,
  ),
}
