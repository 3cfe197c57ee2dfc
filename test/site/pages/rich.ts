import { document, page, type Pages } from '../page.ts'
import { dot } from './articles.ts'

const head = `<meta name="description" content="What the gauge at the north pier &amp; the old lock shows.">
<meta name="keywords" content="tide, harbour">
<meta name="keywords" content="gauge">
<meta name="author" content="Harbour desk">
<meta name="robots" content="index, follow">
<meta name="viewport" content="width=device-width">
<meta name="theme-color" content="#003366">
<meta name="generator" content="Quay 2.1">
<meta property="og:title" content="Tides at the north pier">
<meta property="og:description" content="The open graph description.">
<meta property="og:url" content="https://tidewater.example/rich">
<meta property="og:image" content="/image.png">
<meta property="og:audio" content="/gauge.mp3">
<meta property="og:video" content="/gauge.mp4">
<meta property="og:determiner" content="the">
<meta property="og:locale" content="en_GB">
<meta property="og:locale:alternate" content="de_DE">
<meta property="og:locale:alternate" content="fr_FR">
<meta property="og:site_name" content="Tidewater Review">
<meta property="og:type" content="article">
<meta property="article:published_time" content="2026-03-14T07:40:00Z">
<meta property="article:modified_time" content="2026-03-15T08:00:00Z">
<meta property="article:section" content="Reports">
<meta property="article:tag" content="tide">
<meta property="article:tag" content="gauge">
<meta name="dc.title" content="Tides (Dublin Core)">
<meta name="dc.description" content="A Dublin Core description.">
<meta name="dc.subject" content="Tides">
<meta name="dc.date" content="2026-03-14">
<meta name="dc.type" content="Text">
<meta name="dcterms.created" content="2026-03-13">
<meta name="dcterms.subject" content="Harbours">
<meta name="dcterms.audience" content="Sailors">
<meta name="twitter:card" content="summary_large_image">
<meta name="twitter:title" content="Tides, in short">
<meta name="custom-one" content="first">
<meta http-equiv="content-language" content="en-GB">
<link rel="canonical" href="https://tidewater.example/rich">
<link rel="icon" href="/icons/fav.ico">
<link rel="alternate" hreflang="de" href="/de/rich">
<link rel="alternate" type="application/rss+xml" href="/files/feed.rss">
<script type="application/ld+json">{"@context":"https://schema.org","@type":"NewsArticle","headline":"Tides at the north pier","datePublished":"2026-03-14","author":{"@type":"Person","name":"A. Keeper"}}</script>
<script type="application/ld+json">{ not json }</script>
`

const images = `<main><h1>Pictures</h1>
<img src="/img/plain.jpg" alt="Plain">
<img src="/img/small.jpg" srcset="/img/small.jpg 480w, /img/large.jpg 1600w" sizes="50vw" alt="Two sizes">
<img src="/img/x1.jpg" srcset="/img/x1.jpg 1x, /img/x2.jpg 2x" alt="Two densities">
<img src="${dot}" data-src="/img/lazy.jpg" loading="lazy" alt="Lazy">
<img data-srcset="/img/lazy-a.jpg 480w, /img/lazy-b.jpg 960w" alt="Lazy set">
<picture><source srcset="/img/new.avif" type="image/avif"><source srcset="/img/new.webp 1x, /img/new@2x.webp 2x" type="image/webp"><img src="/img/new.jpg" alt="Picture"></picture>
<figure><img src="https://cdn.example/img/figure.jpg" alt="Figure"><figcaption>The quay at dawn</figcaption></figure>
<div style="background-image: url('/img/background.jpg')">Background</div>
<svg width="4" height="4"><image href="/img/inside.svg"/></svg>
<video poster="/img/poster.jpg" src="/clip.mp4"></video>
<img src="" alt="Empty"><img alt="None"><img src="/img/plain.jpg" alt="Plain again">
</main>`

const attributes = `<main><h1>Offers</h1><ul class="offers">
<li class="offer" data-id="a1" data-price="12.50"><a href="/offer/a1" title="First offer">Rope</a></li>
<li class="offer" data-id="b2" data-price="3"><a href="/offer/b2" title="Second &amp; last">Hook</a></li>
<li class="offer sold" data-id="c3"><a href="/offer/c3">Anchor</a></li>
</ul><p id="empty" data-note="">Nothing</p></main>`

/** Pages with much of one thing: metadata, images, attributes. */
export const rich: Pages = {
  '/rich/meta': page(document('Tides at the north pier | Tidewater Review', '<main><h1>Tides</h1><p>A page with everything in its head.</p></main>', head)),
  '/rich/bare': page('<p>No head, no body, no title.'),
  '/rich/images': page(document('Pictures', images)),
  '/rich/base64-images': page(document('Dots', `<main><h1>Dots</h1><p>Before <img src="${dot}" alt="A dot"> between <img src="data:image/png;base64,${Buffer.alloc(3000, 7).toString('base64')}" alt="Noise"> after.</p><p>[brackets](data:image/png;base64,AAAA) in text stay.</p></main>`)),
  '/rich/attributes': page(document('Offers', attributes)),
  '/rich/markdown-marks': page(document('Marks', '<main><h1>Marks * in _text_</h1><p>1. not a list</p><p># not a heading</p><p>a*b*c [x](y) `z` &lt;b&gt; | pipe \\ slash</p></main>')),
}
