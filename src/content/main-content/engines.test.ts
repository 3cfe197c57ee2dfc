import { expect, it } from 'vitest'
import type { Capture } from '../../domain/pages/capture.ts'
import { readDefaults } from '../../domain/pages/reading.ts'
import { read } from '../reading.ts'

/** Pages as documentation frameworks and forum software write them: `YES` marks what to keep, `NO` what to remove. */
const pages: Readonly<Record<string, readonly [url: string, html: string]>> = {
  Docusaurus: ['https://docs.example/install', `<nav class="navbar navbar--fixed-top"><a href=/>NO</a><button>NO</button></nav><div class="main-wrapper"><aside class="theme-doc-sidebar-container"><nav class="menu"><ul class="theme-doc-sidebar-menu"><li><a href=/a>NO</a><li><a href=/b>NO</a></ul></nav></aside>
<main><nav class="theme-doc-breadcrumbs breadcrumbs"><ul><li><a href=/>NO</a><li>NO</ul></nav><article><div class="theme-doc-markdown markdown"><header><h1>YES</h1></header>PROSE<h2 class="anchor" id="r">YES<a href="#r" class="hash-link">#</a></h2>PROSE<div class="theme-admonition admonition"><p>YES: bring a coat.</p></div><div class="language-bash codeBlockContainer"><pre><code>YES run</code></pre><div class="buttonGroup"><button>NO</button></div></div>PROSE</div><footer class="theme-doc-footer"><a href=/e class="theme-edit-this-page">NO</a></footer></article>
<nav class="pagination-nav"><a href=/a>NO</a><a href=/c>NO</a></nav><div class="theme-doc-toc-desktop"><ul class="table-of-contents"><li><a href="#r">NO</a></ul></div></main></div><footer class="footer">NO</footer>`],
  Sphinx: ['https://x.readthedocs.example/en/latest/api.html', `<nav class="wy-nav-side"><div class="wy-menu"><ul><li class="toctree-l1"><a href=a>NO</a><li class="toctree-l1"><a href=b>NO</a></ul></div></nav><div class="wy-nav-content"><div class="rst-content"><div role="navigation"><ul class="wy-breadcrumbs"><li><a href=/>NO</a></ul></div><div role="main" class="document"><div itemprop="articleBody"><section><h1>YES<a class="headerlink" href="#a">¶</a></h1>PROSE
<dl class="py function"><dt class="sig" id="f">YES.sail(harbour)<a class="headerlink" href="#f">¶</a></dt><dd><p>YES, sails there.</p></dd></dl>PROSE</section></div></div><footer><div class="rst-footer-buttons" role="navigation"><a href=a>NO</a></div><div role="contentinfo">NO</div></footer></div></div>`],
  'MkDocs Material': ['https://mk.example/guide/', `<header class="md-header"><nav class="md-header__inner"><a href=/>NO</a></nav></header><div class="md-container"><nav class="md-tabs"><a href=/x>NO</a></nav><main class="md-main"><div class="md-sidebar md-sidebar--primary"><nav class="md-nav"><ul class="md-nav__list"><li class="md-nav__item"><a href=/a>NO</a><li class="md-nav__item"><a href=/b>NO</a></ul></nav></div><div class="md-sidebar md-sidebar--secondary"><nav class="md-nav md-nav--secondary"><a href="#r">NO</a></nav></div>
<div class="md-content"><article class="md-content__inner md-typeset"><a href=/e class="md-content__button md-icon" title="Edit"></a><h1>YES</h1>PROSE<details class="note" open><summary>YES</summary><p>YES: only in summer.</p></details>PROSE</article></div></main><footer class="md-footer"><nav><a href=/n>NO</a></nav></footer></div>`],
  Starlight: ['https://star.example/guide/', `<body><a href="#_top">Skip to content</a><div class="page"><header class="header"><div class="title-wrapper"><a href=/ class="site-title"><span>NO</span></a></div></header><nav class="sidebar"><div class="sidebar-pane"><ul class="top-level"><li><a href=/a><span>NO</span></a><li><a href=/b><span>NO</span></a></ul></div></nav><div class="main-frame"><aside class="right-sidebar-container"><h2>On this page</h2><ul><li><a href="#r"><span>NO</span></a></ul></aside><main><div class="content-panel"><h1 id="_top">YES</h1></div><div class="content-panel"><div class="sl-markdown-content">PROSE
<div class="sl-heading-wrapper level-h2"><h2 id="r">Moorings</h2><a class="sl-anchor-link" href="#r"><span aria-hidden="true"><svg></svg></span><span class="sr-only">NO, section titled “Moorings”</span></a></div>PROSE<div class="expressive-code"><figure class="frame is-terminal"><figcaption class="header"><span class="title"></span><span class="sr-only">NO window</span></figcaption><pre data-language="bash"><code><div class="ec-line"><div class="code"><span>YES run</span></div></div></code></pre><div class="copy"><button title="NO"></button></div></figure></div>PROSE</div><footer><div class="meta"><a href=/e>NO, edit page</a></div><div class="pagination-links"><a href=/n rel=next><span>NO<br><span>NO</span></span></a></div></footer></div></main></div></div>`],
  Discourse: ['https://talk.example/t/ferry-times/12', `<header><a href=/>NO</a></header><div id="main-outlet" class="wrap" role="main"><div id="topic-title"><h1><a href="/t/ferry-times/12">YES</a></h1></div><div itemscope itemtype="http://schema.org/DiscussionForumPosting">${[1, 2].map((n) => `<div class="topic-body crawler-post"><div class="crawler-post-meta"><span itemprop="author">sailor${n}</span></div><div class="post" itemprop="text">PROSE${n}</div></div>`).join('')}</div></div><footer class="container"><nav><a href=/tos>NO</a></nav></footer>`],
  XenForo: ['https://board.example/threads/ferry.12/', `<nav class="p-nav"><ul class="p-navList"><li><a href=/>NO</a><li><a href=/new>NO</a></ul></nav><div class="p-body"><div class="p-title"><h1 class="p-title-value">YES</h1></div>${[1, 2, 3, 4].map((n) => `<article class="message message--post"><div class="message-user"><h4 class="message-name"><a href=/m${n}>sailor${n}</a></h4></div><div class="message-content"><div class="bbWrapper">PROSE${n}</div></div></article>`).join('')}</div><footer class="p-footer"><a href=/terms>NO</a></footer>`],
  phpBB: ['https://forum.example/viewtopic.php?t=1', `<div id="page-header"><div class="navbar"><ul class="linklist navlinks"><li><a href=/>NO</a></ul></div></div><div id="page-body"><h2 class="topic-title"><a href="./viewtopic.php?t=1">YES, ferry times</a></h2>${[1, 2].map((n) => `<div id="p${n}" class="post"><dl class="postprofile"><dt><a class="username" href=u${n}>sailor${n}</a></dt></dl><div class="postbody"><div class="content">PROSE${n}</div><div class="signature">NO</div></div></div>`).join('')}</div><div id="page-footer"><div class="copyright">NO</div></div>`],
} // prettier-ignore

/** Each paragraph is different. */
const sentences = (count: number, about: number): string => `<p>${`YES, ferry ${about} leaves the inner harbour at ${about + 5} and calls at both islands before noon. `.repeat(count)}</p>`

function markdownOf(url: string, html: string): string {
  const capture: Capture = { requestedUrl: url, url, status: 200, headers: [['content-type', 'text/html']], body: Buffer.from(`<title>YES, ferry times</title>${html}`), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }
  return read(capture, readDefaults).markdown()
}

/** Rules handle short pages, without losses here; on long pages, the trees may misjudge a word. */
it.each(Object.entries(pages))('keeps the content of a page of %s and leaves the rest', (_, [url, html]) => {
  for (const [count, words] of [[2, /YES/g], [12, /YES, ferry \d leaves/g]] as const) {
    let paragraphs = 0
    const page = html.replace(/PROSE\d?/g, () => sentences(count, ++paragraphs))
    const markdown = markdownOf(url, page)
    expect([markdown.match(words)?.length, markdown.match(/NO/g), /[¶#]\s*$/m.test(markdown)]).toEqual([page.match(words)?.length, null, false])
  }
})
