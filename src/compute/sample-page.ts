const words = 'river stone light paper garden winter measure bridge letter number market engine summer window silver history because between without another through question answer people water music travel'.split(' ')

/** A seeded sequence of pseudo-random numbers from 0 to 1. */
function chance(seed: number): () => number {
  let state = seed + 1
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
}

const times = <T>(count: number, make: (i: number) => T): readonly T[] => Array.from({ length: count }, (_, i) => make(i))

/** A typical page of about 6 KB that uses most of what pages are made of; a different one for each number. */
export function samplePage(number: number): string {
  const next = chance(number)
  const word = (): string => words[Math.floor(next() * words.length)] ?? ''
  const some = (count: number): string => times(count, word).join(' ')
  const sentence = (): string => `${some(6 + Math.floor(next() * 12))}${next() < 0.3 ? `, ${some(4)}` : ''}. `
  const link = (text: string): string => `<a href="/${word()}/${Math.floor(next() * 1_000)}?${word()}=${word()}" class="link-${word()}">${text}</a>`
  const inline = (): string => times(3, sentence).join('') + [`<strong>${some(2)}</strong>`, `<em>${word()}</em>`, link(some(3)), `<code>${word()}_${word()}</code>`, `${word()} &amp; ${word()}&nbsp;&#8212;`][Math.floor(next() * 5)] + sentence()
  const paragraph = (): string => `<p class="${word()}">${inline()}${next() < 0.4 ? inline() : ''}</p>`
  const list = (tag: string): string => `<${tag}>${times(5, () => `<li>${next() < 0.5 ? link(some(4)) : inline()}</li>`).join('\n')}</${tag}>`
  const cells = (tag: string): string => `<tr>${times(4, () => `<${tag}>${some(2)}</${tag}>`).join('')}</tr>`
  const parts = [
    () => list('ul'),
    () => list('ol'),
    () => `<table><thead>${cells('th')}</thead><tbody>${times(5, () => cells('td')).join('')}</tbody></table>`,
    () => `<pre><code class="language-js">${times(6, () => `const ${word()} = ${word()}(${Math.floor(next() * 99)})`).join('\n')}</code></pre>`,
    () => `<blockquote><p>${inline()}</p></blockquote>`,
    () => `<figure><img src="/img/${word()}.jpg" alt="${some(3)}" width="640" srcset="/img/a.jpg 1x, /img/b.jpg 2x"><figcaption>${some(6)}</figcaption></figure>`,
    () => `<div class="card"><h3>${link(some(3))}</h3><span class="price">${Math.floor(next() * 90)}.99</span><div>${sentence()}</div></div>`,
  ]
  const section = (i: number): string => `<h2 id="s${i}">${some(4)}</h2>\n${paragraph()}\n${parts[(i + number) % parts.length]?.() ?? ''}\n${paragraph()}`
  const title = some(6)
  const day = `202${number % 7}-0${1 + (number % 9)}-1${number % 10}`
  const facts = { '@context': 'https://schema.org', '@type': 'Article', headline: title, datePublished: day, author: { '@type': 'Person', name: some(2) } }
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} | ${word()}</title><meta name="description" content="${some(14)}"><meta property="og:title" content="${title}"><link rel="canonical" href="https://sample.invalid/${number}"><style>.${word()}{color:red}</style><script>window.${word()}=${JSON.stringify(some(20))}</script><script type="application/ld+json">${JSON.stringify(facts)}</script></head>
<body class="page"><header><nav class="menu"><ul>${times(6, () => `<li>${link(some(2))}</li>`).join('')}</ul></nav></header><div class="cookie-banner"><p>${some(20)}</p><button>Accept</button></div><!-- ${some(5)} -->
<main><div class="breadcrumb">${link(word())} / ${link(word())}</div><article class="post"><h1>${title}</h1><p class="byline">By <a rel="author" href="/who">${some(2)}</a> <time datetime="${day}">${day}</time></p>${times(2, section).join('\n')}</article>
<div class="comments">${times(1, () => `<div class="comment" id="c"><b>${word()}</b><p>${inline()}<br>${sentence()}</p></div>`).join('')}</div></main>
<aside class="sidebar"><h3>${some(2)}</h3>${list('ul')}<div style="display:none">${some(9)}</div></aside><footer class="footer"><p>${some(12)}</p>${list('ul')}</footer></body></html>`
}
