const most = 512 * 1024 - 200
const start = '<!doctype html><title>Hostile</title><body><main>'

/** Repeats the unit as often as fits into a page that counts as small. */
const full = (unit: string, count = Number.MAX_SAFE_INTEGER): string => start + unit.repeat(Math.min(count, Math.floor(most / unit.length)))
const within = (opening: string, unit: string, count?: number): (() => string) => () => start + opening + full(unit, count).slice(start.length)

/** Pages that are made to be expensive to read, by name. Most are just small enough to be read on the main thread. */
export const hostilePages: Readonly<Record<string, () => string>> = {
  foreign: within('<svg>', '<path>', 9_900),
  unclosed: () => full('<div></x>', 9_900),
  anchors: () => full('<a href=x></x>', 9_900),
  fonts: () => full('<font><p></x>', 9_900),
  'formatting-and-blocks': () => full('<nobr></x><p>', 9_900),
  tables: () => full('<table></x>', 9_900),
  cells: within('<table>', '<td></x>x', 9_900),
  spans: within('<table>', '<td colspan=1000 rowspan=1000>x', 9_900),
  rows: within('<table>', '<tr><td rowspan=1000>x<td>y', 3_200),
  quotes: () => full('<blockquote></x>x', 9_900),
  backticks: within('<code>', '`a``b'),
  emphasis: within('<p>', '*_'),
  brackets: within('<p>', '[('),
  'less-than': () => full('<'),
  entities: () => full('&aaaaaaaaaaaaaaaa'),
  comments: () => full('<!--'),
  'comments-first': () => `${'<!---->'.repeat(80)}<div>x</div>`,
  arrows: () => `${start}<p>${'→'.repeat(80)}<br>›`,
  'trail-of-brackets': () => `${start}<p>${'[a](b) → ['.repeat(2_000)}`,
  attributes: () => `${start}<p ${Array.from({ length: 50_000 }, (_, i) => `a${i}=1`).join(' ').slice(0, most)}>x`,
  links: () => full('<a href=/x>x</a>', 9_900),
  images: () => full('<img src=a srcset="a 1x, b 2x">', 9_900),
  srcset: () => `${start}<img srcset="${'a 1x,'.repeat(most / 5)}">`,
  metadata: () => `${Array.from({ length: 6_000 }, (_, i) => `<meta name=a${i} content=b>`).join('')}${start}x`,
  'deep-data': () => `<script type="application/ld+json">${'['.repeat(most)}</script>${start}x`,
  'white-space': within('<p>', ' \n'),
  dashes: within('<p>', '-\n'),
  numbers: within('<p>', '1. '),
  pipes: within('<table><tr><td>', '|'),
  formulas: within('<math>', '<mfrac></x>', 9_900),
  notes: () => start + Array.from({ length: 2_400 }, (_, i) => `<sup><a href="#fn${i}">${i}</a></sup>`).join('') + Array.from({ length: 2_400 }, (_, i) => `<li id=fn${i}>n</li>`).join(''),
  headings: () => full('<h2>x</h2><p>y', 4_900),
  styles: () => full('<p style="display:none;">x</p>', 9_900),
  edits: () => full('<del>a</del><ins>b</ins>', 4_900),
  selectors: () => full('<p class=a data-x=yyyyyyyyyyy>x', 9_900),
  consent: () => full('<div class="cookie-banner consent">accept all cookies</div>', 9_900),
  bodies: () => `${Array.from({ length: 40 }, (_, at) => `<body${Array.from({ length: 256 }, (_, i) => ` x${at}-${i}`).join('')}>`).join('')}${'<body>'.repeat(most / 12)}x`,
  deep: () => start + '<div>'.repeat(100_000),
  'many-nodes': () => start + '<b>x</b>'.repeat(300_000),
}
