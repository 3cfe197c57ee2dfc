import { describe, expect, it } from 'vitest'
import type { Capture } from '../../domain/pages/capture.ts'
import { readDefaults } from '../../domain/pages/reading.ts'
import { type PageReading, read } from '../reading.ts'

const prose = '<p>The gauge at the north pier has been read every morning since the first lamp was lit above the harbour.</p>'

function readingOf(html: string, ...headers: readonly [string, string][]): PageReading {
  const capture: Capture = {
    requestedUrl: 'https://site.example/', url: 'https://site.example/', status: 200, headers: [['content-type', 'text/html'], ...headers], body: Buffer.from(html),
    engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0,
  }
  return read(capture, readDefaults)
}

const demandOf = (html: string): string | null => readingOf(html).scriptDemand()

describe('a page needs its scripts', () => {
  it.each([
    ['the page is an empty shell', '<title>App</title><div id="root"></div><script src="/app.js"></script>'],
    ['the page is an empty shell', '<title>App</title><noscript>You need to enable JavaScript to run this app.</noscript><div id="x"></div><script>boot()</script>'],
    ['the page is an empty shell', '<!doctype html><html><head><title>App</title><script type="module" src="/app.js"></script></head><body><div id="root"></div></body></html>'],
    ['the page is an empty shell', '<html><head><script>location.href = "/other"</script></head><body></body></html>'],
    ['the page demands scripts', `<nav>${'<a href="/a">A place to go</a> '.repeat(30)}</nav><noscript>Please enable JavaScript.</noscript><main></main><script src="/a.js"></script>`],
    ['the container of its framework is empty', `<header>${'<a href="/a">A place to go</a> '.repeat(30)}</header><div id="app"></div><script src="/a.js"></script><footer>${'Imprint and terms. '.repeat(10)}</footer>`],
    ['the page says that it is loading', '<body>Loading the timetable of all ships for you<script src="/a.js"></script>'],
    ['the page is nearly all script', `<main>Timetable of the ships in the harbour</main><script>${'draw(1);'.repeat(5000)}</script>`],
    ['the page is an empty shell', '<!doctype html><html><head><title>Ferry</title></head><body><ferry-shell><div class="splash"><img src="/logo.svg" alt="Ferry"></div></ferry-shell><script type="module" src="/main.js"></script></body></html>'],
    ['the page says that it is loading', '<header><a href="/">Ferry</a><nav><a href="/a">Routes</a></nav></header><main hx-get="/timetable" hx-trigger="load"><div class="htmx-indicator">Loading...</div></main><footer>© Ferry Ltd</footer><script src="/htmx.js"></script>'],
    ['the page says that another follows', '<h1>We have moved</h1><p>You will be redirected to our new site in 5 seconds. If nothing happens, <a href="/new">click here</a>.</p><script src="/go.js"></script>'],
    ['the page says that another follows', '<h1>Umgezogen</h1><p>Sie werden in fünf Sekunden weitergeleitet.</p><script src="/go.js"></script>'],
    ['the page says that it is loading', '<html><head><title>Redirecting…</title><script>window.location.replace("/new")</script></head><body><p>Redirecting to the timetable…</p></body></html>'],
    ['the container of its framework is empty', `<header>${'<a href="/a">A place to go</a> '.repeat(5)}</header><h1>Timetable</h1><!--$!--><template data-dgst="BAILOUT_TO_CLIENT_SIDE_RENDERING"></template><div class="skeleton"></div><!--/$--><script src="/_next/static/chunks/a.js" async=""></script>`],
    ['the page has nothing but its navigation', `<a href="#content">Skip to the content</a><header><nav>${'<a href="/a">Route to the island</a> '.repeat(40)}</nav></header><div id="content-mount"></div><footer><p>${'Imprint, terms and all that goes with them. '.repeat(10)}</p></footer><script src="/b.js"></script>`],
    ['the page has nothing but frames', '<html><head><title>Manual</title></head><frameset cols="20%,80%"><frame src="/toc.html"><frame src="/start.html"><noframes>Your browser shows no frames.</noframes></frameset></html>'],
    ['the page has nothing but frames', '<title>Manual</title><iframe src="/start.html" width="100%" height="100%"></iframe>'],
    ['the page says little beside its frames', '<title>Jobs</title><main><h1>Work with us</h1><p>Our open positions:</p><iframe src="https://boards.example/embed?for=us" width="100%" height="900"></iframe></main>'],
    ['the page says little beside its frames', `<h1>Timetable</h1><iframe srcdoc="<style>p { color: red }</style><p>${prose}</p>" width="600" height="400"></iframe>`],
    ['the page brings data for its scripts to show', `<main><h1>Gauges</h1>${prose.repeat(9)}<h2>Remarks</h2><p>Loading remarks...</p><script>__sveltekit_1k3x = { defer: (id) => new Promise(() => {}) }; kit.start(app)</script></main></body></html>\n<script>__sveltekit_1k3x.resolve(1, () => [["Low at dawn."]])</script>`],
    ['the page is a challenge', '<title>Just a moment...</title><div id="challenge-form"></div><noscript>Enable JavaScript and cookies to continue</noscript><script src="/cdn-cgi/challenge-platform/x"></script>'],
  ])('because %s', (evidence, html) => expect(demandOf(html)).toBe(evidence))
})

describe('a page says in another language', () => {
  const page = (body: string): string => `<!doctype html><html><head><meta charset="utf-8"><title>App</title><script src="/a.js"></script></head><body>${body}</body></html>`
  it.each(['Diese Anwendung benötigt JavaScript.', 'JavaScript est nécessaire pour afficher cette page.', 'Для работы приложения необходимо включить JavaScript.', 'Aby korzystać ze strony, włącz obsługę JavaScript.', 'Bu uygulama için JavaScript’i etkinleştirin.', 'このアプリを実行するにはJavaScriptを有効にしてください。', '请启用JavaScript后继续访问。', '이 앱을 실행하려면 자바스크립트를 켜 주세요.', 'يرجى تمكين JavaScript لتشغيل هذا التطبيق.', 'Bạn cần bật JavaScript để chạy ứng dụng này.'])('that it needs scripts: %s', (words) => {
    expect(demandOf(page(`<noscript>${words}</noscript><p>The harbour office of the town</p>`))).toBe('the page is an empty shell')
    expect(demandOf(page(`<p>${words}</p>`))).toBe('the page says that it needs scripts')
  })

  it.each(['Lädt …', 'Подождите, идёт загрузка…', 'YÜKLENİYOR...', 'ロード中', 'しばらくお待ちください', '页面加载中，请稍候', '載入中...', '잠시만 기다려 주세요', 'جاري التحميل...', 'กำลังโหลด...', 'Đang tải...', 'Načítám…'])('that it is loading: %s', (words) => {
    const shown = `<div class="wait"><p>${words}</p><p>The harbour office of the town</p></div>`
    expect(demandOf(page(shown))).toBe('the page says that it is loading')
  })

  it('that scripts are what it is about', () => {
    expect(demandOf(page(`<main><h1>Ohne JavaScript</h1>${prose.repeat(8)}</main>`))).toBeNull()
  })
})

describe('a page does not need its scripts', () => {
  it.each([
    ['an article with scripts', `<main><h1>Tide</h1>${prose.repeat(8)}</main><script>${'draw(1);'.repeat(50_000)}</script>`],
    ['an article of a framework', `<div id="__next"><main><h1>Tide</h1>${prose.repeat(8)}</main></div><noscript>Enable JavaScript for comments.</noscript><script src="/a.js"></script>`],
    ['a short page with a player', '<main><h1>Tide</h1><p>A film.</p><iframe src="https://www.youtube.com/embed/abcdefghijk"></iframe></main>'],
    ['a short page with a map and a button', '<main><h1>Office</h1><p>Find us.</p><iframe src="https://www.google.com/maps/embed?pb=1" width="600" height="450"></iframe><iframe src="https://count.example/like" width="90" height="20"></iframe></main>'],
    ['an article between white space, and a frame', `<main>${' '.repeat(4_000)}${prose.repeat(8)}</main><iframe src="https://jobs.example/list"></iframe>`],
    ['a thread below its navigation, for those without scripts', `<header><nav>${'<a href="/a">Route to the island</a> '.repeat(20)}</nav></header><div id="main"></div><noscript><h1>Tide</h1>${prose.repeat(8)}</noscript><script src="/b.js"></script>`],
    ['a short page with a player that comes along', `<main><h1>Tide</h1><p>A film.</p><iframe src="https://www.youtube.com/embed/abcdefghijk" srcdoc="<style>${'a { color: red } '.repeat(20)}</style><a href=https://www.youtube.com/embed/abcdefghijk?autoplay=1><img src=https://img.example/0.jpg alt='A film about the tide'><span>▶</span></a>"></iframe>`],
    ['a short page without scripts', '<main><h1>Closed</h1><p>Back on Monday.</p></main>'],
    ['a short page with a counter', '<main><h1>Closed</h1><p>We are away and back on Monday.</p></main><script>count()</script>'],
    ['a page that is only pictures', '<main><img src="/a.jpg" alt=""><img src="/b.jpg" alt=""></main><script src="/lightbox.js"></script>'],
    ['a short page with a counter in its head', '<html><head><script>count()</script></head><body><main><h1>Closed</h1><p>We are away and back on Monday.</p></main></body></html>'],
    ['a short page below its navigation', `<header><nav>${'<a href="/a">Route to the island</a> '.repeat(40)}</nav></header><main><p>We are away and back on Monday.</p></main><script src="/b.js"></script>`],
    ['a page whose heading stands in its header', `<header><nav>${'<a href="/a">Route to the island</a> '.repeat(20)}</nav><h1>The ferry</h1><p>${'It leaves at seven. '.repeat(20)}</p></header><script src="/b.js"></script>`],
    ['a page of pictures below its navigation', `<header><nav>${'<a href="/a">Route to the island</a> '.repeat(20)}</nav></header><div class="wall"><img src="/1.jpg"><img src="/2.jpg"></div><script src="/b.js"></script>`],
    ['an empty page', '<title>Nothing</title>'],
    ['an empty page with a head', '<html><head><title>Nothing</title></head><body></body></html>'],
  ])('%s', (_name, html) => expect(demandOf(html)).toBeNull())
})

describe('a page that only redirects its visitors', () => {
  const stub = (content: string, body = '<h1>Redirecting…</h1><a href="/new/">Click here if you are not redirected.</a>') => `<!doctype html><html><head><title>Redirecting…</title><meta http-equiv="refresh" content="${content}"></head><body>${body}</body></html>`
  it.each([
    ['at once', stub('0; url=/new/'), 'https://site.example/new/'],
    ['soon', stub('3;URL=/new/'), 'https://site.example/new/'],
    ['with nothing on it', stub('.5, new/#part', ''), 'https://site.example/new/#part'],
    ['to another site', stub('0;url=//other.example'), 'https://other.example/'],
    ['after a time to read that it says', stub('5; url=/new/', '<p>You will be redirected in 5 seconds.</p>'), 'https://site.example/new/'],
    ['after a time to read that it does not say', stub('5; url=/new/', '<p>A picture of the harbour.</p>'), null],
    ['later', stub('4; url=/new/'), null],
    ['with much to read', stub('0; url=/new/', `<main>${prose.repeat(8)}</main>`), null],
    ['to itself, anew', stub('1'), null],
    ['to itself, by its address', stub('1; url=/#again'), null],
    ['to no page', stub('0; url=mailto:a@b.example'), null],
    ['without scripts alone', '<html><head><noscript><meta http-equiv="refresh" content="0; url=/plain"></noscript></head><body><p>Text.</p></body></html>', null],
  ])('is recognized: %s', (_name, html, expected) => expect(readingOf(html).leadsOn()).toBe(expected))

  it.each([
    ['0; url=/new/', '<p>Moving.</p>', 'https://site.example/new/', ['https://site.example/new/']],
    ['0;/new/', '', 'https://site.example/new/', ['https://site.example/new/']],
    ['3; url=/new/', '<p>Thank you.</p>', 'https://site.example/new/', ['https://site.example/new/']],
    ['5; url=/new/', '<a href="/a">A</a>', null, ['https://site.example/new/', 'https://site.example/a']],
    ['0; url=/new/', prose.repeat(8), null, ['https://site.example/new/']],
    ['30', '<a href="/a">A</a>', null, ['https://site.example/a']],
  ])('is recognized by its header %j', (sent, html, target, links) => {
    const reading = readingOf(html, ['refresh', sent])
    expect([reading.leadsOn(), reading.references().all]).toEqual([target, links])
  })
})
