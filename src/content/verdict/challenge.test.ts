import { describe, expect, it } from 'vitest'
import type { Capture } from '../../domain/pages/capture.ts'
import { type PageVerdict, readDefaults } from '../../domain/pages/reading.ts'
import { read } from '../reading.ts'

function judge(html: string, status = 200, headers: Capture['headers'] = []): PageVerdict {
  const capture: Capture = {
    requestedUrl: 'https://site.example/', url: 'https://site.example/', status, headers: [['content-type', 'text/html; charset=utf-8'], ...headers], body: new TextEncoder().encode(html),
    engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0,
  }
  return read(capture, readDefaults).verdict()
}

/** A document as such walls are served: with titles, scripts and styles in the head. */
const sent = (head: string, body: string): string => `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex,nofollow">${head}<style>body{margin:0;font-family:sans-serif}</style></head><body>${body}</body></html>`

describe('challenges as their vendors serve them', () => {
  it.each([
    ['a managed challenge', 403, sent('<title>Just a moment...</title><meta http-equiv="refresh" content="360">', '<div class="main-wrapper" role="main"><noscript><span id="challenge-error-text">Enable JavaScript and cookies to continue</span></noscript></div><script>(function(){window._cf_chl_opt = {cvId: "3",cType: "managed"};}());</script>')],
    ['an access rule', 403, sent('<title>Access denied | site.example used Cloudflare to restrict access</title>', '<div id="cf-error-details"><h1>Error 1020</h1><h2>Access denied</h2><p>This website is using a security service to protect itself from online attacks.</p></div>')],
    ['a page with nothing but the address of a puzzle', 403, sent('<title>site.example</title>', `<p id="cmsg">Please enable JS and disable any ad blocker</p><script data-cfasync="false">var dd={'rt':'c','cid':'AHr','t':'bv','host':'geo.captcha-delivery.com'}</script><script src="https://ct.captcha-delivery.com/c.js"></script>`)],
    ['a button to hold', 200, sent('<title>Robot or human?</title>', '<a href="/"><img src="/logo.svg" alt="Site"></a><h1>Robot or human?</h1><p>Activate and hold the button to confirm that you’re human. Thank You!</p><div id="px-captcha"></div>')],
    ['a frame with an incident', 200, '<html style="height:100%"><head><META NAME="ROBOTS" CONTENT="NOINDEX, NOFOLLOW"><script src="/_Incapsula_Resource?SWJIYLWA=719d"></script></head><body><iframe id="main-iframe" src="/_Incapsula_Resource?SWUDNSAI=31&xinfo=10-1&incident_id=123" width="100%">Request unsuccessful. Incapsula incident ID: 123</iframe></body></html>'],
    ['an interruption', 200, sent('<title>Pardon Our Interruption</title>', '<h1>Pardon Our Interruption</h1><p>As you were browsing something about your browser made us think you were a bot. There are a few reasons this might happen:</p><ul><li>You\'ve disabled cookies in your web browser.</li></ul>')],
    ['a proof of work in a frame', 200, sent('<title>&nbsp;</title>', '<div id="sec-if-cpt-container"><iframe id="sec-cpt-if" provider="crypto" src="/cp_challenge/sec-3-4.htm"></iframe></div><script>var chlgeDuration=30;</script>')],
    ['a silent script', 202, sent('<title></title><script>window.awsWafCookieDomainList = [];window.gokuProps = {"key":"x"};</script><script src="https://x.token.awswaf.com/x/challenge.js"></script>', '<div id="challenge-container"></div><noscript><h1>JavaScript is disabled</h1>In order to continue, we need to verify that you\'re not a robot.</noscript>')],
    ['a script and nothing else', 429, '<!DOCTYPE html><html><head></head><body><script>window.KPSDK={};KPSDK.now=Date.now.bind(Date);KPSDK.start=KPSDK.now();</script><script src="/149e9513/2d206a39/ips.js?KP_UIDz=x"></script></body></html>'],
    ['a shop that asks for the letters of a picture', 200, sent('<title dir="ltr">Site.example</title>', '<h4>Enter the characters you see below</h4><p>Sorry, we just need to make sure you\'re not a robot.</p><form action="/errors/validateCaptcha"><img src="/captcha/x.jpg"><input name="field-keywords"><button>Continue shopping</button></form>')],
    ['a checkpoint', 429, sent('<title>Vercel Security Checkpoint</title><link rel="stylesheet" href="/.well-known/vercel/security/static/x.css">', '<div id="root"><p>We\'re verifying your browser</p><a href="/fix">Website owner? Click here to fix</a></div><script type="module">run()</script>')],
    ['a rejected request', 200, '<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consult with your administrator.<br><br>Your support ID is: 1234567890<br><a href="javascript:history.back();">[Go Back]</a></body></html>'],
    ['a proof of work that explains itself', 200, sent('<title>Making sure you&#39;re not a bot!</title><script id="anubis_challenge" type="application/json">{"challenge":"x"}</script>', `<main><h1>Making sure you&#39;re not a bot!</h1><p id="status">Loading...</p><details><summary>Why am I seeing this?</summary>${'<p>The administrator of this website has set up Anubis to protect the server against the scourge of companies that scrape it. </p>'.repeat(6)}</details></main>`)],
  ])('are recognized: %s', (_name, status, html) => expect(judge(html, status)).toBe('challenge'))

  it.each([
    ['x-vercel-mitigated', 'challenge'],
    ['x-amzn-waf-action', 'captcha'],
  ])('are recognized by the header %s', (name, value) => expect(judge(sent('<title>Site</title>', '<p>One step before you go on.</p>'), 403, [[name, value]])).toBe('challenge'))
})

describe('pages of the site itself', () => {
  const page = (title: string, main: string, head = ''): string => sent(`<title>${title}</title><script async src="https://www.googletagmanager.com/gtag/js?id=G-1"></script>${head}`, `<header><a href="/">Brand</a><nav><ul><li><a href="/blog">Blog</a></li><li><a href="/docs">Docs</a></li><li><a href="/pricing">Pricing</a></li></ul></nav></header><main>${main}</main><footer><p>© 2026 Brand Ltd.</p><a href="/privacy">Privacy</a> <a href="/terms">Terms</a></footer>`)
  const recaptcha = '<script src="https://www.google.com/recaptcha/api.js?render=6L" async></script>'
  it.each([
    ['an article about a wall, where forms are kept from robots', page('Access denied: how to fix the 403 error | Brand', '<h1>Access denied: how to fix the 403 error</h1><p>If a site tells you “Access denied”, clear your cookies first. Many walls verify you are human by one that has gone stale.</p>', recaptcha)],
    ['a library for puzzles', page('Captcha | Packages', '<h1>captcha 0.7.1</h1><p>A library that generates audio and image puzzles.</p><pre><code>pip install captcha</code></pre>', '<script src="https://js.hcaptcha.com/1/api.js" async defer></script>')],
    ['a title that only begins like that of a wall', page('Security check before the winter | Boat club', '<h1>Security check before the winter</h1><p>On Saturday we look at all lines and fenders.</p><form><textarea name=c></textarea><div class="cf-turnstile"></div><input type="hidden" id="cf-chl-widget-x1_response"></form>', '<script src="https://challenges.cloudflare.com/turnstile/v0/api.js" async defer></script>')],
    ['a page that a sensor watches', page('Blocked | Word list', '<h1>Blocked</h1><p>Said of a way that nobody can pass.</p>', '<script>window._pxAppId="PX1"</script><script src="https://client.perimeterx.net/PX1/main.min.js"></script><script src="/_Incapsula_Resource?SWJIYLWA=719d"></script>')],
    ['a contest with a form', sent('<title>Photo challenge</title>', '<h1>Photo challenge</h1><p>Send us your best picture of the harbour.</p><form class="challenge-form"><input name=mail><button>Send</button></form>')],
    ['a short text about puzzles', sent('<title>Captcha</title>', '<h1>Captcha</h1><p>Asks visitors to complete the captcha. See the settings for its colours.</p>')],
  ])('are no challenges: %s', (_name, html) => expect(judge(html)).toBe('ok'))

  it.each(['<div class="g-recaptcha"></div>', '<form><img src="/letters.png"><input name=letters></form>'])('are challenges where they are called captcha and have %s', (puzzle) => {
    expect(judge(sent('<title>Captcha</title>', `<p>Complete the captcha to go on.</p>${puzzle}`))).toBe('challenge')
  })

  it('are no challenges if they restrict access', () => {
    expect(judge(page('Access denied | Brand', '<h1>Access denied</h1><p>You are not authorized to access this page.</p>'), 403)).toBe('ok')
  })
})

describe('challenges in other languages', () => {
  it.each([
    ['百度安全验证', 200, '<h1>安全验证</h1><p>请完成下方验证后继续操作</p>'],
    ['访问验证', 200, '<p>您的访问过于频繁，拖动下方滑块完成验证</p>'],
    ['Вы не робот?', 200, '<p>Подтвердите, что вы не робот. Нам очень жаль, но запросы похожи на автоматические.</p>'],
    ['Acceso denegado', 403, '<h1>Acceso denegado</h1>'],
    ['Zugriff verweigert', 403, '<p>Bestätigen Sie, dass Sie ein Mensch sind</p>'],
    ['アクセスが拒否されました', 403, '<p>ロボットではありません</p>'],
    ['보안 확인', 403, '<p>비정상적인 접근이 감지되었습니다</p>'],
  ])('are recognized: %s', (title, status, body) => {
    expect(judge(sent(`<title>${title}</title>`, body), status)).toBe('challenge')
  })

  it.each([
    ['安全验证方法介绍', '<h1>安全验证方法介绍</h1><p>本文介绍几种安全验证的方法。</p>'],
    ['Sicherheitsprüfung', '<h1>Sicherheitsprüfung</h1><p>Wir prüfen Ihre Leitern und Regale einmal im Jahr.</p>'],
  ])('are not seen in %s', (title, body) => {
    expect(judge(sent(`<title>${title}</title>`, body))).toBe('ok')
  })
})
