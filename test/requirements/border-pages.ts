const start = '<!doctype html><title>Hostile</title><body><main>'
const prose = `<p>${'word word word, '.repeat(80)}</p>`

/** What a hostile page may begin with, and the units that it may repeat. */
const openings = ['', prose, '<p>', '<table><tr><td>x<td>', '<pre>', '<code>', '<a href=x>', '<svg>', '<p><math>', '<ul><li>', '<h2>', '<div>'.repeat(90), `${prose}${'<div>'.repeat(90)}`, '<b>'.repeat(90), '<blockquote>'.repeat(14), '<dl><dt>', '<title>', '<div class="', '<div style="', '<a href="#', '<a href="http://', '<img srcset="', '<p ', '<p a=">" ', '<div data-preloaded="', '<meta name=a content="', '<script type="application/ld+json">[', '<script type="application/ld+json">{"@type":"Article","articleBody":"']
const units = [
  '<p>x<li>', '<li><p>word word', '<tr><td>x', '<table><tr><td>', '<tr><td>a</td><td>b</td></tr>', '<td colspan=1000 rowspan=1000>x', '<tr><td rowspan=1000>x<td>y', '<h2>Related articles</h2>', '<div>More from</div>', '<i></i>', '<a href="x">y</a> ', '<a href=x><b>',
  '<', '&', '<!--', '<a b="', ' \n', 'x', 'verify you ', '<script>x</script>', '<noscript><p>x</p><a>y</a></noscript>', '<div hidden id="S:1"></div><template id="B:1"></template>', '<meta name=keywords content=a>', '*_`[]()#', 'x<br>', '<b>x</b><i>y</i>', '<dl><dt>a<dd>b</dl>',
  '<option>x', '<img src="data:image/png;base64,AAAA" alt="x">', '<img src=a srcset="a 1x, b 2x">', '<path>', '<div></x>', '<font><p></x>', '<blockquote></x>x', 'a``b', '*_', '[(', '&aaaaaaaaaaaaaaaa', '-\n', '<mfrac></x>', '<mi>xx</mi>', '<p style="display:none;">x</p>', '<div class="cookie-banner consent">x</div>',
  '<header>x</header>', '<sup>x</sup>', '<pre>x</pre>', '<iframe src=//youtube.com/embed/x></iframe>', '<picture><source srcset=a><img></picture>', '<svg><title>x</title></svg>', '<span class=katex>x</span>', '<a href=#fn1>[1]</a>', '<div id=root></div>', '</p>', '</br>', '<ul><li>x</ul>', '中\n', '\u00a0', 'a😀*', '\\(x\\)', '$$x', '!',
  '{},', '1,', '\\u003cp>x', 'x\\n', '&lt;p>x', ',', 'a ', 'aB', 'ad-', 'ä', '/a', '=', '"', '>', '<p/a/b/c>', `<p a=">" ${'b c d e f g '.repeat(20)}>`, `<a href="http://${'äö.'.repeat(30)}">x</a>`, `<p class="${'a '.repeat(100)}">x`,
  '<button>x?</button>', '<td><b><button>x', '<button>x?</button><i>y</i>',
]

/** A generator of pseudo-random numbers from 0 to 1 that are the same in every run. */
function chance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/**
 * Pages of an opening and a unit that is repeated nearly as often as `isSmall` allows. The first pages repeat one unit
 * each, as far as `count` allows; the others repeat a random sequence of up to three units.
 */
export function borderPages(isSmall: (html: string) => boolean, count: number, seed: number): readonly (readonly [name: string, html: string])[] {
  const next = chance(seed)
  const pick = (list: readonly string[]): string => list[Math.floor(next() * list.length)] ?? ''
  return Array.from({ length: count }, (_, i) => {
    const opening = pick(openings)
    const unit = units[i] ?? Array.from({ length: 1 + Math.floor(next() * 3) }, () => pick(units)).join('')
    return [JSON.stringify([opening.slice(-40), unit.slice(0, 60)]), grown(start + opening, unit, isSmall)] as const
  })
}

function grown(opening: string, unit: string, isSmall: (html: string) => boolean): string {
  const page = (times: number): string => opening + unit.repeat(times)
  let most = 1
  while (most < 1_000_000 && isSmall(page(most * 2))) most *= 2
  let least = most
  for (let step = most; step > most / 32 && step >= 1; step /= 2) if (isSmall(page(least + Math.floor(step)))) least += Math.floor(step)
  return page(least)
}
