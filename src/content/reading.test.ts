import { describe, expect, it } from 'vitest'
import { type Reading, type ReadOptions, readDefaults } from '../domain/pages/reading.ts'
import { read } from './reading.ts'

const prose = 'The river rises in the hills, runs past three towns, and meets the sea after a long day of walking. '
const page = `<!doctype html><html lang="en"><head><title>Rivers</title></head><body>
<nav class="main-nav"><a href="/">Home</a> <a href="/about">About</a></nav>
<div class="cookie-banner">We use cookies.</div>
<main><article><h1>Rivers</h1><p>${prose.repeat(4)}</p><div class="ad-slot">Buy boats</div><p>${prose.repeat(4)}<a href="more">more</a></p>
<p hidden>secret</p><script>let x</script><img src="a.png" alt="A"><img src="t.gif" width=1 height=1>
<h2>Related articles</h2><ul><li><a href="/1">One other river</a></li><li><a href="/2">Two other rivers</a></li></ul></article></main>
<aside class="sidebar"><h3>Popular</h3><a href="/3">Three</a></aside><footer>Imprint</footer></body></html>`

function reading(body: string | Uint8Array, options: Partial<ReadOptions> = {}, type = 'text/html'): Reading {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const url = 'https://site.example/dir/'
  const headers: [string, string][] = type === '' ? [] : [['content-type', type]]
  return read({ requestedUrl: url, url, status: 200, headers, body: bytes, engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }, { ...readDefaults, ...options })
}

function words(html: string): string {
  return html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ').trim()
}

describe('html', () => {
  it('contains the main content and nothing else', () => {
    expect(reading(page).html().replace(/\s*\n\s*/g, '')).toBe(
      `<main><article><h1>Rivers</h1><p>${prose.repeat(4)}</p><p>${prose.repeat(4)}<a href="https://site.example/dir/more">more</a></p><img src="https://site.example/dir/a.png" alt="A"></article></main>`
        .replace(/<\/?main>/g, ''),
    )
  })

  it('contains the whole page without advertisements, dialogs and hidden parts with onlyMainContent: false', () => {
    const text = words(reading(page, { onlyMainContent: false }).html())
    expect(text).toBe(`Home About Rivers ${prose.repeat(4)} ${prose.repeat(4)} more Related articles One other river Two other rivers Popular Three Imprint`.replace(/\s+/g, ' '))
  })

  it('keeps advertisements and dialogs with blockAds: false', () => {
    const text = words(reading(page, { onlyMainContent: false, blockAds: false }).html())
    expect([text.includes('Buy boats'), text.includes('We use cookies.'), text.includes('secret')]).toEqual([true, true, false])
  })

  it('says that the title of a page is a heading where it is written as none', () => {
    const { html, markdown } = reading(`<title>The sea | Rivers</title><div class="post"><div class="post-title"><span>The sea</span></div><div class="post-content"><p>${prose}</p></div></div>`)
    expect(html()).toContain('<div class="post-title" role="heading" aria-level="1"><span>The sea</span></div>')
    expect(markdown()).toBe(`# The sea\n\n${prose.trim()}\n`)
  })

  it('takes no title of a drawing for that of the page', () => {
    const { html } = reading(`<body><svg><title>Search</title></svg><div class="page-title">Search</div><div class="post"><div class="post-content"><p>${prose.repeat(3)}</p></div></div>`)
    expect(html()).not.toContain('role="heading"')
  })

  it('omits what excludeTags match', () => {
    expect(words(reading(page, { excludeTags: ['h1', 'p:first-of-type', 'img'] }).html())).toBe(`${prose.repeat(4)}more`)
  })

  it('contains what includeTags match, even boilerplate, outermost first', () => {
    expect(reading(page, { includeTags: ['nav', 'footer', 'nav a'] }).html()).toBe(
      '<nav class="main-nav"><a href="https://site.example/">Home</a> <a href="https://site.example/about">About</a></nav><footer>Imprint</footer>',
    )
  })

  it('applies includeTags before, and excludeTags after everything else', () => {
    expect(words(reading(page, { includeTags: ['.sidebar'], excludeTags: ['h3'] }).html())).toBe('Three')
  })

  it('omits what excludeTags match also where includeTags match inside', () => {
    const dialog = reading('<main><div class="dialog"><div><article>One</article><article>Two</article></div></div><article>Three</article></main>', { includeTags: ['article'], excludeTags: ['.dialog'] })
    expect([dialog.html(), dialog.markdown()]).toEqual(['<article>Three</article>', 'Three\n'])
  })

  it('is empty with a reason when includeTags match nothing', () => {
    const empty = reading(page, { includeTags: ['.nowhere'] })
    expect([empty.html(), empty.warnings()]).toEqual(['', ['No element matches `includeTags`.']])
  })

  it('is empty with a reason when nothing is left of what was selected', () => {
    const sentence = 'Nothing is left of the page by `includeTags` and `excludeTags`.'
    for (const options of [{ excludeTags: ['*'] }, { includeTags: ['main', 'h1'], excludeTags: ['body'] }, { includeTags: ['title'] }, { excludeTags: ['html'], onlyMainContent: false }]) {
      const empty = reading(page, options)
      expect([empty.markdown(), empty.warnings()]).toEqual(['', [sentence]])
    }
    for (const one of [reading(page, { includeTags: ['img'] }), reading('<body></body>', { excludeTags: ['b'] })]) expect([one.markdown(), one.warnings()]).toEqual([expect.anything(), []])
  })

  it('sets the addresses of lazily loaded images', () => {
    const html = reading(`<article><p>${prose.repeat(8)}</p><img src="data:image/gif;base64,R0" data-src="/real.jpg"></article>`).html()
    expect(html).toContain('<img src="https://site.example/real.jpg"')
  })
})

describe('the other views', () => {
  it('return links, images and metadata of the whole page, whatever is filtered', () => {
    const only = reading(page, { includeTags: ['h1'] })
    expect(only.links()).toEqual(['', 'about', 'dir/more', '1', '2', '3'].map((path) => `https://site.example/${path}`))
    expect(only.images()).toEqual(['https://site.example/dir/a.png', 'https://site.example/dir/t.gif'])
    expect(only.metadata()).toEqual({ title: 'Rivers', language: 'en' })
  })

  it('do not affect each other, in whatever order they are requested', () => {
    const views = ['html', 'markdown', 'links', 'images', 'metadata', 'verdict', 'removals', 'confidence'] as const
    const all = (order: readonly (typeof views)[number][]): Record<string, unknown> => {
      const one = reading(page)
      return Object.fromEntries(order.map((view) => [view, one[view]()]))
    }
    expect(all([...views].reverse())).toEqual(all(views))
  })

  it('are created once', () => {
    const one = reading(page)
    expect(one.links()).toBe(one.links())
    expect(one.metadata()).toBe(one.metadata())
  })

  it('report which step removed what', () => {
    expect(reading(page).removals().filter((removal) => removal.count > 0)).toEqual([
      { step: 'non-content tags', count: 2 },
      { step: 'hidden', count: 1 },
      { step: 'advertisements', count: 1 },
      { step: 'consent dialogs', count: 1 },
      { step: 'tracking pixels', count: 1 },
      { step: 'page furniture', count: 3 },
      { step: 'side matter', count: 2 },
    ])
  })

  it('return markdown of the same part', () => {
    expect(reading(page).markdown()).toBe(`# Rivers\n\n${prose.repeat(4).trim()}\n\n${prose.repeat(4)}[more](https://site.example/dir/more)\n\n![A](https://site.example/dir/a.png)\n`)
  })
})

it('omit in markdown what a browser does not render, keep what it does, and change nothing in the HTML', () => {
  const html = `<main><h1>Rivers</h1><p>${prose.repeat(4)}</p><p class="x">unseen</p><p style="display:none">seen</p></main>`
  const capture = { ...reading(html).capture, unseen: [html.indexOf('<p class')] }
  const drawn = read(capture, { ...readDefaults, onlyMainContent: false })
  expect([drawn.markdown().endsWith('seen\n'), drawn.html().includes('unseen'), drawn.text()]).toEqual([true, false, html])
  expect(read({ ...capture, unseen: [] }, { ...readDefaults, onlyMainContent: false }).markdown()).toMatch(/unseen\n\nseen\n$/)
})

describe('bodies that are not HTML', () => {
  it('are returned unchanged if they are JSON', () => {
    const json = reading('{"a": "<b>"}', {}, 'application/json')
    expect([json.text(), json.html(), json.links(), json.metadata(), json.verdict(), json.confidence()]).toEqual(['{"a": "<b>"}', '<pre>{"a": "&lt;b&gt;"}</pre>', [], {}, 'ok', 1])
  })

  it('are empty if there are none', () => {
    const nothing = reading('')
    expect([nothing.html(), nothing.markdown().trim(), nothing.links(), nothing.verdict()]).toEqual(['', '', [], 'empty'])
  })

  it.each(['text/plain', 'application/json', 'text/csv', 'application/xml'])('have no elements that could be selected, and say so (%s)', (type) => {
    const selectors = 'The address leads to a file without elements: `includeTags` and `excludeTags` select nothing in it.'
    expect([reading('<a/>', {}, type), reading('<a/>', { includeTags: ['a'] }, type), reading('<a/>', { excludeTags: ['a'] }, type)].map((one) => [one.markdown() !== '', one.warnings()])).toEqual([[true, []], [true, [selectors]], [true, [selectors]]])
    const queried = reading('<a b="c"/>', {}, type)
    expect([queried.attributes([{ selector: 'a', attribute: 'b' }]), queried.warnings()]).toEqual([[{ selector: 'a', attribute: 'b', values: [] }], ['attributes: none, as the address leads to a file without elements.']])
  })

  it.each(['text/plain', 'application/json', 'text/csv', 'application/rss+xml'])('are empty if they contain only white space (%s)', (type) => {
    expect(['', ' \r\n\t', '\u{feff}\n', '0'].map((body) => reading(body, {}, type).verdict())).toEqual(['empty', 'empty', 'empty', 'ok'])
  })

  it('never cause an exception if they are not text', () => {
    const bytes = Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256)
    expect(() => reading(bytes).markdown()).not.toThrow()
    expect(() => reading(bytes, {}, '').html()).not.toThrow()
  })
})

describe('a page that omits the tags of its body', () => {
  const one = prose.trim()
  it.each([
    ['nothing but text', 'It works', 'It works\n', 'It works'],
    ['text around tags', '<!doctype html>Hello <b>all</b><br>of you', 'Hello **all**\\\nof you\n', 'Hello <b>all</b><br>of you'],
    ['text below its heading', `<title>T</title>\n<h1>Rivers</h1>${one}<br><br>${one}`, `# Rivers\n\n${one}\n\n${one}\n`, `<h1>Rivers</h1>${one}<br><br>${one}`],
    ['text between paragraphs', `<title>T</title>First. ${one}<p>${prose.repeat(4).trim()}</p>Last. ${one}`, `First. ${one}\n\n${prose.repeat(4).trim()}\n\nLast. ${one}\n`, `First. ${one}<p>${prose.repeat(4).trim()}</p>Last. ${one}`],
  ])('has %s as its content', (_name, body, markdown, html) => {
    const found = reading(body)
    expect([found.markdown(), found.html()]).toEqual([markdown, html])
  })

  it('has its content without what surrounds it', () => {
    expect(reading(`<title>T</title><nav><a href=/>Home</a> <a href=/a>About</a></nav><h1>Rivers</h1>${prose.repeat(9)}<footer>Imprint</footer>`).markdown()).toBe(`# Rivers\n\n${prose.repeat(9).trim()}\n`)
  })
})

describe('content that a page repeats or has elsewhere', () => {
  const markdown = (body: string): string => reading(body, { onlyMainContent: false }).markdown()

  it('includes the best picture and the video of a source element', () => {
    expect(markdown('<p>A <picture><source srcset="/big.webp 2x"><img src="/small.png" alt="S"></picture></p>')).toBe('A ![S](https://site.example/small.png)\n')
    expect(markdown('<video controls><source src="/tide.mp4" type="video/mp4"></video>')).toContain('https://site.example/tide.mp4')
  })

  it('includes formulas in scripts or hidden elements', () => {
    expect(markdown('<p>Euler <script type="math/tex">e^{i}</script> wrote it.</p>')).toBe('Euler $e^{i}$ wrote it.\n')
    expect(markdown('<p>So <span class="mwe-math-element"><span class="mwe-math-mathml-inline" style="display:none"><math alttext="x"><mi>x</mi></math></span><img src="/x.svg" alt=""></span> it is.</p>')).toBe('So $x$ it is.\n')
    expect(reading('<p>Euler <script type="math/tex">e</script></p>', { onlyMainContent: false }).html()).toBe('<p>Euler </p>')
  })

  it('leaves a page an empty shell if it is only data of its scripts', () => {
    const shell = reading(`<title>A thread</title><div id="root"></div><script src="/app.js"></script><script id="__NEXT_DATA__" type="application/json">${JSON.stringify({ post: { body: prose.repeat(8) } })}</script>`)
    expect([shell.markdown().startsWith('The river rises'), shell.verdict(), shell.scriptDemand()]).toEqual([true, 'empty', 'the page is an empty shell'])
  })

  it('makes a page no empty shell if it is in noscript', () => {
    const shell = reading(`<title>A thread</title><div id="root"></div><script src="/app.js"></script><noscript><h1>A thread</h1><p>${prose.repeat(8)}</p></noscript>`)
    expect(shell.markdown()).toContain('The river rises')
    expect(shell.verdict()).toBe('ok')
  })
})

describe('markdown of the main content', () => {
  const main = (inner: string) => reading(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Rivers</title><script>let x</script></head><body><nav><a href="/">Home</a></nav><main><article><h1>Rivers</h1><p>${prose.repeat(6)}</p>${inner}<p>${prose.repeat(6)}</p></article></main></body></html>`).markdown()

  it('shows which tasks are done, and no other control', () => {
    expect(main('<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" class="task-list-item-checkbox" checked disabled> Find the spring</li><li class="task-list-item"><input type="checkbox" disabled> Find the sea</li></ul><p><input type="checkbox"> Tell me more</p>')).toContain('- [x] Find the spring\n- [ ] Find the sea\n')
  })

  it('contains no links to edit a section', () => {
    expect(main('<div class="mw-heading mw-heading2"><h2 id="Course">Course</h2><span class="mw-editsection"><span class="mw-editsection-bracket">[</span><a href="/w/index.php?action=edit"><span>edit</span></a><span class="mw-editsection-bracket">]</span></span></div><p>It runs west.</p>')).toContain('## Course\n\nIt runs west.')
  })

  it.each(['data:', 'DATA:'])('contains no picture that is written into the page as %s', (scheme) => {
    expect(main(`<img src="${scheme}image/png;base64,AAAA" alt="Map">`)).toContain('![Map](<Base64-Image-Removed>)')
  })

  it('contains the picture of a source element if the image is a placeholder', () => {
    expect(main('<picture><source type="image/webp" srcset="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-srcset="/d-800.webp 1x, /d-1600.webp 2x"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="D"></picture>')).toContain('![D](https://site.example/d-1600.webp)')
  })
})

it('warns about omitted rows of a long table', () => {
  const long = reading(`a,b\n${'1,2\n'.repeat(6000)}`, {}, 'text/csv')
  expect([long.markdown().length > 0, long.warnings()]).toEqual([true, ['The table is longer than is returned as markdown; its last 1001 rows are missing.']])
  const short = reading('a,b\n1,2\n', {}, 'text/csv')
  expect([short.markdown().length > 0, short.warnings()]).toEqual([true, []])
})

it('warns about omitted entries of a long feed', () => {
  const feed = (entries: number): string => `<rss><channel><title>Log</title>${Array.from({ length: entries }, (_, n) => `<item><title>Day</title><link>https://log.example/${n}</link></item>`).join('')}<language>en</language></channel></rss>`
  const long = reading(feed(5002), {}, 'application/rss+xml')
  expect([long.markdown().endsWith('## [Day](https://log.example/4999)\n\n… and 2 more entries\n'), long.links().length, long.metadata()]).toEqual([true, 5000, { title: 'Log', language: 'en' }])
  expect(long.warnings()).toEqual(['The feed is longer than is read; its last 2 entries are missing.'])
  const short = reading(feed(5000), {}, 'application/rss+xml')
  expect([short.markdown().endsWith('## [Day](https://log.example/4999)\n'), short.warnings()]).toEqual([true, []])
})

it.each([
  ['"isAccessibleForFree":false', ['The page says that it is not free to read: this may be only its beginning.']],
  ['"isAccessibleForFree": "False"', ['The page says that it is not free to read: this may be only its beginning.']],
  ['"isAccessibleForFree":true', []],
])('warns about a page that is not free to read: %s', (said, expected) => {
  const found = reading(page.replace('</head>', `<script type="application/ld+json">{"@type":"NewsArticle",${said}}</script></head>`))
  expect([found.verdict(), found.warnings()]).toEqual(['ok', expected])
  expect(reading(page.replace('secret', 'secret</p><pre>"isAccessibleForFree": false</pre><p>')).warnings()).toEqual([])
})
