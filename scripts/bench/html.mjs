/** The pages of the benchmark: reproducible from a seed, with 42 KB of HTML on average. */

const meanBytes = 42 * 1024
const words = 'alpha harbor ledger copper meadow signal anchor orbit timber lantern gravel window summit barrel cotton ember falcon garden hollow island'.split(' ')

/** Pseudo-random numbers in [0, 1) that depend only on the seed (mulberry32). */
function numbers(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function writer(seed, pages, folder) {
  const next = numbers(seed)
  const pick = (list) => list[Math.floor(next() * list.length)]
  const phrase = (count) => Array.from({ length: count }, () => pick(words)).join(' ')
  const sentence = () => `${pick(words)} ${phrase(8 + Math.floor(next() * 14))}.`
  return { next, phrase, sentence, pages, folder }
}

/** The blocks of an article, in turn. */
const blocks = [
  (w) => `<h2>${w.phrase(4)}</h2>`,
  (w) => `<p>${w.sentence()} <strong>${w.phrase(2)}</strong> ${w.sentence()} See <a href="${w.folder}${Math.floor(w.next() * w.pages)}">${w.phrase(3)}</a>. ${w.sentence()}</p>`,
  (w) => `<p>${w.sentence()} ${w.sentence()} <em>${w.phrase(3)}</em> ${w.sentence()}</p>`,
  (w) => `<ul>${Array.from({ length: 5 }, () => `<li>${w.sentence()}</li>`).join('')}</ul>`,
  (w) => `<p>${w.sentence()} <code>${w.phrase(1)}</code> ${w.sentence()}</p>`,
  (w) => `<pre><code class="language-js">${Array.from({ length: 5 }, () => `const ${w.phrase(1)} = read(&quot;${w.phrase(2)}&quot;)`).join('\n')}</code></pre>`,
  (w) => `<table><thead><tr><th>${w.phrase(1)}</th><th>${w.phrase(1)}</th></tr></thead><tbody>${Array.from({ length: 5 }, () => `<tr><td>${w.phrase(2)}</td><td>${Math.floor(w.next() * 1000)}</td></tr>`).join('')}</tbody></table>`,
  (w) => `<figure><img src="/figure-${Math.floor(w.next() * 40)}.png" alt="${w.phrase(3)}"><figcaption>${w.sentence()}</figcaption></figure>`,
]

/**
 * A page of a site with `pages` pages in a folder; its menus link to sections. It consists of menus and footer, an
 * article of about a third of the bytes, and the state that scripts leave in pages.
 */
export function page(id, { pages, folder, section }) {
  const w = writer(id + 1, pages, folder)
  const menu = Array.from({ length: 40 }, (_, i) => `<li class="item"><a class="link" href="${section(i)}"><span>${words[i % words.length]} ${i}</span></a></li>`).join('')
  const bytes = meanBytes * (0.5 + w.next())
  let article = `<h1>${w.phrase(5)}</h1><p>${w.sentence()}</p>`
  for (let i = 0; article.length < bytes * 0.33; i++) article += blocks[i % blocks.length](w)
  const head = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page ${id}</title><meta name="description" content="${w.sentence()}"><link rel="canonical" href="${folder}${id}"></head>`
  const body = `<body><header><nav><ul>${menu}</ul></nav></header><main><article>${article}</article></main><aside><h3>More</h3><ul>${menu.slice(0, 1500)}</ul></aside><footer><ul>${menu}</ul></footer>`
  const state = []
  for (let size = head.length + body.length; size < bytes; size += state.at(-1).length + 1) state.push(JSON.stringify({ key: w.phrase(1), text: w.sentence(), n: Math.floor(w.next() * 1e6) }))
  return `${head}${body}<script type="application/json">[${state.join(',')}]</script></body></html>`
}
