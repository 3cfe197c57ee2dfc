import { document, page, type Pages } from '../page.ts'

const words = (count: number): string => 'Boats leave the harbour when the tide allows it, and come back with the next. '.repeat(count)

const harbourCss = `
:root { --color-primary: #1d4ed8; --color-accent: #f59e0b; --color-success: #16a34a; --color-danger: #dc2626 }
* { box-sizing: border-box } body { margin: 0; font: 16px/1.6 Inter, "Segoe UI", sans-serif; color: #111827; background: #ffffff }
header { display: flex; gap: 24px; align-items: center; height: 72px; padding: 0 32px; border-bottom: 1px solid #e5e7eb }
nav a { color: #374151; text-decoration: none; margin-right: 16px }
h1 { font: 700 48px/1.1 "Poppins", sans-serif; margin: 0 0 16px } h2 { font: 600 32px/1.2 "Poppins", sans-serif; margin: 0 0 16px }
main { max-width: 1120px; margin: 0 auto; padding: 64px 32px } p { margin: 0 0 16px } .muted { color: #6b7280 } main p a { color: #1d4ed8 }
.btn { display: inline-block; padding: 12px 24px; border-radius: 8px; font-weight: 500; text-decoration: none; transition: background-color .2s ease-in-out }
.btn-primary { background: #1d4ed8; color: #fff; box-shadow: 0 1px 2px rgba(0,0,0,.2) } .btn-outline { border: 1px solid #1d4ed8; color: #1d4ed8 }
.cards { display: grid; grid-template-columns: repeat(3, 1fr); gap: 24px; padding: 32px 0 } .card { border: 1px solid #e5e7eb; border-radius: 8px; padding: 24px }
input { padding: 8px 16px; border: 1px solid #d1d5db; border-radius: 8px; color: #111827; background: #fff; font: inherit } input:focus { border-color: #1d4ed8; outline: none }
footer { background: #f3f4f6; padding: 32px; height: 160px } svg.icon { width: 24px; height: 24px; fill: none; stroke: #1d4ed8; stroke-width: 2 }`

const icon = '<svg class="icon" viewBox="0 0 24 24"><path d="M4 12h16M12 4v16"/></svg>'
const harbour = document(
  'Harbour',
  `<header><a href="/"><svg class="logo" aria-label="Harbour" width="120" height="32" viewBox="0 0 120 32"><rect width="120" height="32" fill="#1d4ed8"/></svg></a><nav><a href="/a">Tides</a><a href="/b">Boats</a></nav></header>
<main><h1>Sail when the tide allows</h1><p class="muted">${words(2)}</p><p>${words(4)}<a href="/more">More about tides</a></p>
<p><a class="btn btn-primary" href="/start">Start</a> <a class="btn btn-outline" href="/tour">Take a tour</a></p>
<div class="cards">${['Tides', 'Boats', 'Berths'].map((name) => `<div class="card">${icon}<h3>${name}</h3><p>${words(1)}</p></div>`).join('')}</div>
<h2>News</h2><form><input type="email" placeholder="Your address"> <button class="btn btn-primary">Subscribe</button></form></main><footer>Harbour</footer>`,
  `<meta property="og:site_name" content="Harbour"><meta property="og:image" content="/og.png"><link rel="icon" href="/icon.svg"><style>${harbourCss}</style>\n`,
)

const terminalCss = `body { margin: 0; background: #0d1117; color: #c9d1d9; font: 15px/1.5 "JetBrains Mono", monospace } main { max-width: 900px; margin: 0 auto; padding: 40px 20px }
h1 { font-size: 40px; color: #f0f6fc } a { color: #58a6ff } .dim { color: #8b949e } code { font-family: "Fira Code", monospace; background: #161b22 }
button { background: #238636; color: #ffffff; border: 1px solid #2ea043; border-radius: 6px; padding: 10px 20px; font: inherit } button.plain { background: #21262d; color: #c9d1d9; border-color: #30363d }`
const terminal = document('Terminal', `<main><h1>Tide, a shell for harbours</h1><p>${words(5)}</p><p class="dim">${words(2)}</p><p>Type <code>tide now</code>, or <a href="/docs">read the manual</a> first.</p><button>Install</button> <button class="plain">Source</button></main>`, `<style>${terminalCss}</style>\n`)

const paperCss = `body { margin: 0; background: #fffdf7; color: #121212; font: 18px/1.7 Georgia, "Times New Roman", serif } header { text-align: center; border-bottom: 3px double #121212; padding: 10px }
h1, h2 { font-family: "Playfair Display", Georgia, serif; font-weight: 900 } article { columns: 3; column-gap: 30px; padding: 20px 40px } article a { color: #a3182f } small { color: #666666 }`
const paper = document('Paper', `<header><h1>The Tidewater Paper</h1><small>Price: two shells</small></header><article><h2>Tide comes in</h2><p>${words(8)}</p><p>${words(6)}<a href="/letters">Letters of readers</a></p></article>`, `<style>${paperCss}</style>\n`)

const bare = document('Bare', `<h1>A bare page</h1><p>${words(3)}<a href="/x">A link in it</a></p>`)

/**
 * Form fields named like properties that scripts read from their form, custom properties that are no colours, and
 * overridden built-ins.
 */
const traps = document(
  'Traps',
  `<form><input name="localName"><input name="parentElement"><input name="firstChild"><input name="style"><input name="getBoundingClientRect"><input name="attributes"></form><main><h1>Traps</h1><p>${words(3)}</p><button>Go</button></main>`,
  `<style>:root { --primary: expression(alert(1)); --brand-color: url(https://elsewhere.test/); --color-success: notacolor } button { background: rgb(200 0 0 / 90%); color: color(display-p3 1 1 1) }</style>
<script>Element.prototype.getBoundingClientRect = () => { throw new Error('no') }; window.getComputedStyle = () => { throw new Error('no') }; Map.prototype.get = () => 'lies'</script>\n`,
)

/** Pages with very different designs, for `branding`. */
export const brands: Pages = {
  '/brands/harbour': page(harbour),
  '/brands/terminal': page(terminal),
  '/brands/paper': page(paper),
  '/brands/bare': page(bare),
  '/brands/traps': page(traps),
}
