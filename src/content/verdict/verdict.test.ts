import { describe, expect, it } from 'vitest'
import type { Capture } from '../../domain/pages/capture.ts'
import { type PageVerdict, readDefaults } from '../../domain/pages/reading.ts'
import { read } from '../reading.ts'

const article = `<article><h1>On puzzles that tell people from programs</h1>${'<p>The test asks a visitor to pick pictures, and the words verify you are human stand above it. Access denied pages are another matter, and so is a page not found.</p>'.repeat(30)}</article>`

function judge(html: string, extra: Partial<Capture> = {}): PageVerdict {
  const capture: Capture = {
    requestedUrl: 'https://site.example/', url: 'https://site.example/', status: 200, headers: [['content-type', 'text/html; charset=utf-8']], body: new TextEncoder().encode(html),
    engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0, ...extra,
  }
  return read(capture, readDefaults).verdict()
}

describe('challenges', () => {
  it.each([
    ['a waiting page', '<title>Just a moment...</title><div id="challenge-form"></div><noscript>Enable JavaScript and cookies to continue</noscript><script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script>', 403],
    ['a blocked page', '<title>Attention Required! | Cloudflare</title><h1>Sorry, you have been blocked</h1><div id="cf-error-details">You are unable to access site.example</div>', 403],
    ['a held button', '<title>Access to this page has been denied</title><div id="px-captcha"></div><p>Press &amp; Hold to confirm you are a human (and not a bot).</p>', 403],
    ['a puzzle frame', '<title>site.example</title><p>Please enable JS and disable any ad blocker</p><iframe src="https://geo.captcha-delivery.com/captcha/?x"></iframe><p>Verifying you are human</p>', 403],
    ['a refused request', '<title>Access Denied</title><h1>Access Denied</h1>You don\'t have permission to access "http://site.example/" on this server. Reference #18.2d https://errors.edgesuite.net/18.2d', 403],
    ['a checkbox', '<title>Robot check</title><form><div class="g-recaptcha"></div><p>Our systems have detected unusual traffic from your computer network.</p></form>', 200],
  ])('are known: %s', (_, html, status) => {
    expect(judge(html, { status })).toBe('challenge')
  })

  it('are known by a title and scripts in a head', () => {
    const head = '<head><title>Just a moment...</title><script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1?ray=x&cf_chl_opt"></script></head>'
    expect(judge(`<!doctype html><html>${head}<body><p>One moment</p></body></html>`, { status: 403 })).toBe('challenge')
  })

  it('are known by their header', () => {
    expect(judge(article, { headers: [['cf-mitigated', 'challenge']] })).toBe('challenge')
  })

  it.each([
    ['an article about them', `<title>Verify you are human: a history of the captcha</title>${article}`],
    ['a form with a checkbox', `<title>Contact us</title><h1>Contact us</h1><form><input type=text><div class="g-recaptcha"></div></form><p>${'Write to us about anything. '.repeat(20)}</p><script src="https://www.google.com/recaptcha/api.js"></script>`],
    ['a page with a watching script', `<title>Shop</title><h1>Shop</h1><p>${'Fine things for sale. '.repeat(30)}</p><script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>`],
    ['a short page', '<title>Please wait for spring</title><h1>Please wait for spring</h1><p>We open in April.</p>'],
  ])('are not seen in %s', (_, html) => {
    expect(judge(html)).toBe('ok')
  })
})

describe('login walls', () => {
  it.each([
    ['a form and little else', '<title>Welcome</title><h1>Welcome back</h1><form><input name=user><input type=password><button>Go on</button></form>'],
    ['the login of a register', '<title>Land Register</title><h1>Land Register</h1><form><input name=user><input type=password autocomplete=current-password><button>Log in</button></form>'],
    ['a titled form with notes', `<title>Sign in - Site</title><h1>Sign in</h1><form><input><input type=password></form><p>${'Terms apply to your use. '.repeat(50)}</p>`],
  ])('are known: %s', (_, html) => {
    expect(judge(html)).toBe('login')
  })

  const field = (more = '') => `<input type=password${more}>`
  it.each([
    ['a registration', `<title>Register - Harbour</title><h1>Create your account</h1><form method=post><input name=name><input type=email>${field()}<button>Register</button></form>`],
    ['a registration that repeats the password', `<title>Harbour</title><h1>Welcome aboard</h1><form method=post><input type=email>${field()}${field()}<button>Go on</button></form>`],
    ['a field for a new password', `<title>Harbour</title><h1>Your berth</h1><form method=post><input type=email>${field(' autocomplete=new-password')}<button>Go on</button></form>`],
    ['a generator', `<title>Password generator</title><h1>Password generator</h1><form><input>${field(' readonly')}<button>Make another</button></form>`],
    ['a field to try passwords', `<title>Tools</title><h1>How strong is it?</h1><div>${field()}<p>Nothing is sent.</p></div>`],
  ])('are not seen in %s', (_, html) => {
    expect(judge(html)).toBe('ok')
  })

  it.each([
    ['a name beside it', `<div><input type=text>${field()}</div>`],
    ['the purpose of its field', `<div>${field(' autocomplete=current-password')}</div>`],
    ['the address of its form', `<form action="/wp-login.php?action=postpass">${field()}<input type=submit value=Enter></form>`],
    ['its button', `<div>${field()}<button>Log in</button></div>`],
  ])('are known by %s', (_, form) => {
    expect(judge(`<title>Harbour</title><h1>Welcome back</h1>${form}`)).toBe('login')
  })

  it.each([
    '<title>Forum</title><h1>Forum</h1><p>You must be logged in to view this page. Register or come back later.</p><a href=/login>Log in</a>',
    '<title>Harbour - Index</title><h2>Harbour</h2><p>The board requires you to be registered and logged in to view this forum.</p>',
    '<title>Login required - Wiki</title><h1>Login required</h1><p>Please log in to view other pages.</p>',
    '<title>Hafen</title><p>Du musst angemeldet sein, um diese Seite zu sehen.</p>',
    '<title>Port</title><p>Vous devez être connecté pour accéder à cette page.</p>',
  ])('are known by what they say in place of a form: %s', (html) => {
    expect(judge(html)).toBe('login')
  })

  it.each([
    '<title>Lamp</title><h1>Lamp</h1><p>A lamp of brass. Log in to see your price.</p>',
    '<title>Tides</title><h1>Tides</h1><p>High water at nine.</p><p>You must be logged in to post a comment.</p>',
    `<title>Roles</title><h1>Roles</h1><p>${'A role says what its members may do. '.repeat(12)}Guests must log in to view this page.</p>`,
  ])('are not seen where something else needs a login: %s', (html) => {
    expect(judge(html)).toBe('ok')
  })

  const step = (title: string, heading: string) => `<!doctype html><html><head><meta charset="utf-8"><title>${title}</title><script src="/a.js"></script></head><body><main><h1>${heading}</h1><p>to continue to Mail</p><form method="post"><input type="email" autocomplete="username webauthn" name="identifier"><input type="password" name="hiddenPassword" aria-hidden="true" style="display:none"><button>Next</button></form><button>Continue with SSO</button></main><footer><a href="/help">Help</a></footer></body></html>`
  it.each([
    ['asks for the name first', 'Sign in - Accounts', 'Sign in', 'login'],
    ['asks for an address for letters', 'Harbour letters', 'Sign in the new year with us', 'ok'],
    ['tells where one signs in', 'How to sign in', 'Sign in with your card', 'ok'],
  ])('of a page that %s', (_, title, heading, expected) => {
    expect(judge(step(title, heading))).toBe(expected)
  })

  it.each(['Вход', '登入', '로그인', 'تسجيل الدخول', 'התחברות', 'GİRİŞ YAP', 'Zaloguj się', 'Σύνδεση', 'Đăng nhập', 'เข้าสู่ระบบ', 'लॉग इन करें', 'Přihlášení', 'Logga in', 'Bejelentkezés'])('are recognised by the title and heading %s', (words) => {
    const page = (form: string, after = '') => judge(`<!doctype html><html><head><meta charset="utf-8"><title>${words} | Site</title></head><body><h1>${words}</h1><form>${form}<button>${words}</button></form>${after}</body></html>`)
    expect(page('<input type=email autocomplete=username>')).toBe('login')
    expect(page('<input name=user><input type=password>', `<p>${'Terms apply to your use. '.repeat(50)}</p>`)).toBe('login')
  })

  it('are not seen in a page about logins with an address field in its footer', () => {
    expect(judge('<!doctype html><html><head><title>Login - API</title></head><body><main><h1>Login</h1><p>Send a name and a password and get a token.</p></main><footer><form><input type="email"></form></footer></body></html>')).toBe('ok')
  })

  const box = '<form action="/login"><input name=user><input type=password><button>Log in</button></form>'
  const steps = '<p>Open the page of the harbour office and choose your name from the list that it shows. It is the name under which your boat is known, not your own.</p>'
  const guide = `<h1>How to log in</h1><p>Members of the harbour office read the tide tables of all years, and this is how they come to them. Guests see those of the current month.</p>${steps.repeat(6)}<ol><li>Whoever forgot the password asks the office for another one, in writing.</li></ol>`
  it.each([
    ['in the header', `<header><a href="/">Harbour</a>${box}</header><main>${guide}</main>`],
    ['in the navigation', `<nav>${box}</nav>${guide}`],
    ['in a column beside it', `<main>${guide}</main><aside>${box}</aside>`],
    ['in the footer', `<main>${guide}</main><footer>${box}</footer>`],
    ['above the heading', `<div class="top">${box}</div><div class="text">${guide}</div>`],
    ['in the header of a shorter article', `<header>${box}</header>${guide.replace(steps + steps, '')}`],
  ])('are not seen in an article with a login %s', (_, html) => {
    expect(judge(`<title>How to log in - Harbour</title>${html}`)).toBe('ok')
  })

  it.each([
    ['after a teaser', `<header><a href="/">Harbour</a></header><article>${guide}</article><div>${box}</div>`],
    ['in the content', `<main>${box}${guide}</main>`],
    ['in the header, over a teaser', `<header>${box}</header><h1>Log in</h1>${steps}<p>Log in to read on.</p>`],
    ['in the header, over notes of the form and of the footer', `<header>${box}</header><h1>Log in</h1><form>${steps.repeat(3)}</form><footer>${steps.repeat(4)}</footer>`],
    ['in the header and the content', `<header>${box}</header><h1>Log in</h1>${guide}${box}`],
    ['in a column beside a teaser', `<main><h1>Log in</h1>${steps}<p>Log in to read on.</p></main><aside>${box}</aside>`],
    ['above the heading of a list of links', `${box}<h1>Log in</h1><ul>${'<li><a href="/a">Tide tables of the years before</a></li>'.repeat(25)}</ul>`],
  ])('are known by a login %s', (_, html) => {
    expect(judge(`<title>Log in - Harbour</title>${html}`)).toBe('login')
  })

  it.each([
    ['in the header', `<header>${box}</header><main><h1>Weather at the pier</h1><p>Wind from the west, four.</p></main>`],
    ['in a column beside it', `<main><h1>Weather at the pier</h1><p>Wind from the west, four.</p></main><aside>${box}</aside>`],
  ])('are not seen in a page with little text and a login %s', (_, html) => {
    expect(judge(`<title>Weather</title>${html}`)).toBe('ok')
    expect(judge(`<title>Harbour</title>${html.replace('Weather at the pier', 'Log in')}`)).toBe('login')
  })

  it('are not seen in a page with a login in its corner', () => {
    expect(judge(`<header><form><input><input type=password></form></header>${article}`)).toBe('ok')
  })
})

describe('missing pages with status 200', () => {
  it.each(['404 page not found: how to fix it in nginx', 'How to handle 404 page not found errors in nginx', 'Fixing "page not found" after a move'])('are not seen in pages about them: %s', (title) => {
    expect(judge(`<title>${title}</title><h1>${title}</h1><p>Set the root of the server, then load its settings anew. This takes a minute.</p>`)).toBe('ok')
  })

  it('are recognised by a title in the head', () => {
    expect(judge('<!doctype html><html><head><title>404 Not Found</title></head><body><h1>Oops</h1><p>Try the home page.</p></body></html>')).toBe('soft-404')
  })

  it.each([
    ['<title>404 Not Found</title><h1>Oops</h1><p>Try the home page.</p>'],
    ['<title>Page not found - Site</title><p>Try again.</p>'],
    ['<title>Site</title><h1>This page could not be found.</h1>'],
    ['<title>Site</title><h1>The page you requested does not exist</h1>'],
    ['<title>tide [Acme]</title><h1 class="logo"><a href="/w?id=start">Acme</a></h1><h1>This topic does not exist yet</h1><p>You have followed a link to a topic that does not exist yet.</p>'],
    ['<title>Seite nicht gefunden | Beispiel</title><p>Leider</p>'],
    ['<title>Site</title><h1>Page introuvable</h1>'],
    ['<title>Sorry, we couldn&#39;t find that page</title><p>Try the home page.</p>'],
  ])('are known: %s', (html) => {
    expect(judge(html)).toBe('soft-404')
  })

  it.each([
    'Uh-oh, page doesn’t exist', '404 Page not found', '404 Not Found', '404: The page you are looking for does not exist', 'Fehler 404', 'Erreur 404', 'Ошибка 404', 'Грешка 404', 'שגיאה 404', '404页面',
    'Die angeforderte Seite wurde nicht gefunden.', 'Die von Ihnen aufgerufene Seite existiert nicht', 'Leider konnten wir diese Seite nicht finden', 'Es tut uns leid, diese Seite gibt es nicht mehr',
    'Cette page n’existe pas ou plus', 'Nous sommes désolés, la page demandée n’existe pas', 'La page demandée n’a pas pu être trouvée', 'CETTE PAGE N’EST PLUS DISPONIBLE',
    'La página que buscas no existe', '¡Vaya! No encontramos esa página', 'Não encontramos a página', 'La pagina che stai cercando non esiste', 'Pagina pe care o cauți nu există',
    'Oeps! Deze pagina bestaat niet (meer)', 'De opgevraagde pagina is niet gevonden', 'Sidan kunde inte hittas', 'Vi kan inte hitta sidan', 'Siden blev ikke fundet', 'Fant ikke siden', 'Etsimääsi sivua ei löytynyt',
    'Nie znaleziono strony', 'Ups! Nie ma takiej strony', 'Szukana strona nie istnieje', 'Stránka nebyla nalezena', 'Je nám líto, hledaná stránka neexistuje', 'Stránka nebola nájdená', 'A keresett oldal nem található', 'Tražena stranica ne postoji',
    'Aradığınız sayfa bulunamadı', 'SAYFA BULUNAMADI', 'Bu sayfa mevcut değil', 'Η σελίδα που αναζητάτε δεν υπάρχει', 'Η ΣΕΛΙΔΑ ΔΕΝ ΒΡΕΘΗΚΕ',
    'Такой страницы не существует', 'К сожалению, запрашиваемая вами страница не найдена', 'Нет такой страницы', 'На жаль, сторінку не знайдено', 'Страницата не е намерена',
    'お探しのページは見つかりませんでした', '申し訳ございません。お探しのページが見つかりませんでした', 'お探しのページは削除されたか、移動した可能性があります', '找不到页面', '很抱歉，您要访问的页面不存在', '该页面不存在或已删除', '抱歉，找不到您要的頁面', '文章不存在或已被删除',
    '페이지를 찾을 수 없습니다', '존재하지 않는 페이지입니다', '찾으시는 페이지가 없습니다', 'الصفحة غير موجودة', 'عذراً، الصفحة التي تبحث عنها غير موجودة', 'صفحه مورد نظر یافت نشد', 'מצטערים, הדף שחיפשתם אינו קיים',
    'ขออภัย ไม่พบหน้าที่คุณค้นหา', 'पृष्ठ नहीं मिला', 'Rất tiếc, trang bạn yêu cầu không tồn tại', 'Maaf, halaman tidak ditemukan',
  ])('are known by the heading %s', (heading) => {
    expect(judge(`<!doctype html><html><head><meta charset="utf-8"><title>Brand</title></head><body><h1>${heading}</h1><p><a href="/">Home</a></p></body></html>`)).toBe('soft-404')
  })

  const bare = (inside: string): PageVerdict => judge(`<!doctype html><html><head><meta charset="utf-8"><title>Brand</title></head><body><main>${inside}</main></body></html>`)
  it.each([
    '<h2>Page not found</h2><p>Sorry, the page you are looking for does not exist.</p>',
    '<p>404</p><p>Page not found</p><a href="/">Home</a>',
    '<div>404</div><div>Oops! We can\'t find the page you\'re looking for.</div>',
    '<h1>Oops!</h1><p>The page you are looking for could not be found.</p>',
    '<h1>Error</h1><p>Seite nicht gefunden</p>',
  ])('are known where no heading of the first level says it: %s', (inside) => {
    expect(bare(inside)).toBe('soft-404')
  })

  it.each([
    '<h1>Lamp</h1><p>This product is no longer available.</p>',
    '<h1>Sorry</h1><p>This content is not available in your country.</p>',
    '<h2>Ropes</h2><p>Page not found? Write to us.</p>',
    '<h2>Reports</h2><p>Two pages could not be printed.</p>',
  ])('are not seen where another thing is missing: %s', (inside) => {
    expect(bare(inside)).toBe('ok')
  })

  it.each([
    ['a status says so itself', '<title>404 Not Found</title><h1>Not Found</h1>', 404],
    ['an article is about them', `<title>Page not found: 20 lovely error pages</title>${article}`, 200],
    ['a number only starts the title', '<title>404 Main Street, a house for sale</title><h1>404 Main Street</h1><p>A house with a garden.</p>'.replace('404 Main', '4040 Main').replace('404 Main', '4040 Main'), 200],
    ['a search has no results', '<html><head><title>You searched for zanzibar - Brand</title></head><body><main><h1>Nothing Found</h1><p>Sorry, but nothing matched your search terms.</p><form><input type=search></form></main></body></html>', 200],
    ['something else has the number', '<title>Gallery</title><h1>404 page designs</h1><p>Our pick of the year.</p>', 200],
    ['a name has the number', '<title>404 Club</title><h1>404 Club</h1><p>Open from nine.</p>', 200],
    ['a title goes on behind its colon', `<html lang=fr><head><title>Page introuvable : comment corriger cette erreur</title></head><body><h1>Page introuvable : comment corriger cette erreur</h1>${'<p>Une page qui manque se répare en quelques minutes, et voici comment.</p>'.repeat(20)}</body></html>`, 200],
    ['something else is missing in other languages', '<meta charset=utf-8><title>Seite 3: Lösung nicht gefunden</title><h1>記事がありません</h1><h1>Удаленная работа с документами</h1><p>Cette page n’est pas encore traduite. 不存在的爱情 ไม่มีสิวบนใบหน้า</p>', 200],
    ['something else was not found', '<title>Lost dog found</title><h1>Owner not found yet</h1><p>A dog was found by the river.</p>', 200],
  ])('are not seen where %s', (_, html, status) => {
    expect(judge(html, { status })).toBe('ok')
  })
})

describe('empty shells', () => {
  it.each(['<embed src="/x.pdf">', '<object data="/x" type="application/pdf"></object>', '<iframe src="/x.pdf"></iframe>'])('are pages that only show a file: %s', (html) => {
    expect(judge(`<title>Report</title>${html}`)).toBe('empty')
    expect([judge(`<title>Report</title><p>The report of the year.</p>${html}`), judge('<title>Map</title><object data="/map.svg" type="image/svg+xml"></object>')]).toEqual(['ok', 'ok'])
  })

  it.each([
    ['nothing at all', ''],
    ['an empty root', '<title>App</title><div id="root"></div><script src="/app.js"></script>'],
    ['a demand for scripts', '<title>App</title><noscript>You need to enable JavaScript to run this app.</noscript><div class="x"></div><p>Loading the application, hold on</p><script src="/app.js"></script>'],
  ])('are known: %s', (_, html) => {
    expect(judge(html)).toBe('empty')
  })

  it.each([
    ['a short page', '<h1>Hi</h1><p>This is a small page with few words.</p>'],
    ['a rendered root', `<div id="root">${article}</div><script src="/app.js"></script>`],
    ['a page with a demand and its text', `<noscript>Please enable JavaScript.</noscript>${article}<script src="/app.js"></script>`],
    ['a picture', '<img src="a.png">'],
    ['a shell that carries its text for crawlers', `<div id="root"></div><script src="/app.js"></script><noscript>${article}</noscript>`],
    ['a shell that carries its text as data', `<div id="root"></div><script src="/app.js"></script><script type="application/ld+json">${JSON.stringify({ articleBody: article })}</script>`],
  ])('are not seen in %s', (_, html) => {
    expect(judge(html)).toBe('ok')
  })
})

describe('rendered pages', () => {
  const built = (body: string) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>App</title><script defer src="/static/js/main.js"></script></head><body><noscript>You need to enable JavaScript to run this app.</noscript>${body}</body></html>`
  it.each([
    ['a greeting', '<h1>Hello</h1>'],
    ['an application that says little', '<div id="root"><h1>Your list</h1><p>Nothing to do today.</p></div>'],
    ['an application that says two words', '<div id="root"><p>All good.</p></div>'],
    ['pictures alone', '<div id="root"><a href="/1"><img src="/1.jpg"></a><a href="/2"><img src="/2.jpg"></a></div>'],
    ['a drawing', '<div id="root"><canvas></canvas></div><p>Drag to turn it.</p>'],
  ])('may have little content: %s', (_, body) => {
    expect(judge(built(body), { engine: 'browser' })).toBe('ok')
    expect(judge(built(body))).not.toBe('ok')
  })

  it('are no waiting pages where they say more', () => {
    expect(judge(built(`<h1>Loading docks</h1><p>${'A lorry waits its turn at the harbour. '.repeat(5)}</p>`), { engine: 'browser' })).toBe('ok')
  })

  it.each([
    ['nothing came', '<div id="root"></div>'],
    ['nothing came between header and footer', '<header>The company</header><div id="root"></div><footer>Imprint and terms</footer>'],
    ['little came between header and footer', '<header>The company</header><div id="root"><p>Menu</p></div><footer>Imprint and terms</footer>'],
    ['they are loading still', '<div id="root"><p>Loading…</p></div>'],
    ['they send their visitors on and never do', '<h1>We have moved</h1><p>You will be redirected to our new site in 5 seconds. If nothing happens, <a href="/new">click here</a>.</p>'],
    ['there is nothing but a drawing', '<canvas width="600" height="400"></canvas>'],
    ['there is nothing but what another program shows', '<object data="/a.swf" width="600" height="400"></object>'],
    ['they failed', '<div id="root"></div><div id="error-ui">An unhandled error has occurred. <a href="">Reload</a></div>'],
  ])('are empty where %s', (_, body) => {
    expect(judge(built(body), { engine: 'browser' })).toBe('empty')
  })
})

describe('consent pages', () => {
  it.each([
    ['asked before the site', '<title>Before you continue to Site</title><h1>Before you continue</h1><p>We use cookies and data to deliver our services.</p><button>Accept all</button>'],
    ['that say what they ask for in a dialog alone', '<title>Before you continue</title><main><h1>Before you continue</h1><div id="consent-dialog" class="cookie-banner" role=dialog><h2>We value your privacy</h2><p>We and our 842 partners store and read cookies on your device.</p><button>Accept all</button></div></main>'],
    ['with nothing behind', `<title>Site</title><div id="onetrust-banner-sdk">${'We and our partners store cookies on your device. '.repeat(12)}</div>`],
  ])('are known: %s', (_, html) => {
    expect(judge(html)).toBe('consent')
  })

  const tracked = '<p>Besuchen Sie uns wie gewohnt mit Werbung und Tracking, indem Sie der Nutzung aller Cookies zustimmen.</p>'
  it.each([
    ['in German, without a heading', `<title>Zeitung: Nachrichten</title><main><h3>Um uns kostenlos zu nutzen</h3>${tracked}<h3>… oder Zeitung pur bestellen</h3><p>Mit Zeitung pur ab 5 Euro lesen Sie ohne Trackingscripts.</p></main>`],
    ['in German, with one', `<title>Zeitung</title><h1>Weiterlesen mit Werbung</h1>${tracked}<button>Akzeptieren und weiter</button><h2>… oder Pur-Abo</h2>`],
    ['in Italian', '<title>Giornale</title><h1>Benvenuto</h1><p>Noi e i nostri partner usiamo cookie.</p><button>Accetta e continua</button><button>Rifiuta e abbonati</button>'],
    ['in Spanish', '<title>Diario</title><p>Nosotros y nuestros socios usamos cookies.</p><button>Aceptar y continuar</button><button>Rechazar y suscribirse</button>'],
    ['in English', '<title>The Paper</title><h1>Welcome to the Paper</h1><p>We and our partners use cookies.</p><button>Accept all</button><button>Reject and pay</button>'],
  ])('are known if they offer tracking or payment, %s', (_, html) => {
    expect(judge(`<!doctype html><html><head><meta charset="utf-8">${html}<script src="/a.js"></script>`)).toBe('consent')
  })

  it.each([
    ['of an article about that choice', `<title>Spiegel führt Pur-Abo ein | Zeitung</title><h1>Spiegel führt Pur-Abo ein</h1>${tracked}<p>Wer nicht will, liest werbefrei.</p>`],
    ['of a page with its own heading', `<title>Zeitung</title><div>${tracked}<a>Pur-Abo</a></div><h1>Sturm über der Küste</h1><p>Der Wind nahm in der Nacht zu.</p>`],
    ['of a page that sells', '<title>Zeitung</title><h2>Das Pur-Abo</h2><p>Lesen Sie werbefrei und ohne Tracking für fünf Euro.</p><button>Kaufen</button>'],
  ])('are not seen in place %s', (_, html) => {
    expect(judge(`<meta charset="utf-8">${html}`)).toBe('ok')
  })

  it.each(['Прежде чем перейти к поиску', 'Google に進む前に', 'Zanim przejdziesz do wyszukiwarki'])('are recognised by the title %s', (title) => {
    expect(judge(`<meta charset="utf-8"><title>${title}</title><h1>${title}</h1><p>Cookie</p><button>OK</button>`)).toBe('consent')
  })

  it.each([
    ['Consent', 'Informed consent is the agreement of a patient who knows what will be done. '],
    ['Cookie settings in your browser', 'A browser lets you choose which sites may keep cookies. '],
  ])('are not found in an article about consent, with a dialog of its own: %s', (title, text) => {
    const search = '<header><button>Menu</button></header>'
    const dialog = '<div class="cookie-banner" role="dialog">We use cookies. <button>Accept all</button></div>'
    expect(judge(`<title>${title}</title>${search}<main><h1>${title}</h1><p>${text.repeat(12)}</p></main>${dialog}`)).toBe('ok')
    expect(judge(`<title>${title}</title><main><h1>${title}</h1><p>${text.repeat(12)} privacy cookies consent</p><button>Accept all</button></main>`)).toBe('consent')
  })

  it.each([20, 3])('are not found in a guide to settings that has a button (%d sentences)', (sentences) => {
    const guide = (button: string) => judge(`<title>Privacy settings</title><main><h1>Privacy settings</h1><p>${'Here you choose who sees your boats. '.repeat(sentences)}</p><button>${button}</button></main>`)
    expect([guide('Was this helpful?'), guide('Accept all'), guide('Alle zulassen'), guide('Tout autoriser')]).toEqual(['ok', 'consent', 'consent', 'consent'])
  })

  it('are not found in a short page with a consent dialog', () => {
    expect(judge(`<html><head><title>Opening hours</title></head><body><div id="CybotCookiebotDialog">${'We use cookies to personalise content. '.repeat(12)}</div><main><h1>Opening hours</h1><p>Open from nine to five.</p></main></body></html>`)).toBe('ok')
  })

  it('are not found in a page with a consent dialog', () => {
    expect(judge(`<div id="onetrust-banner-sdk">${'We store cookies. '.repeat(30)}</div>${article}`)).toBe('ok')
  })
})
