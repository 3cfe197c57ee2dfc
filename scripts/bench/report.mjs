/** The table of a benchmark run, and the bounds of each measure on a quiet machine with two cores. */

/**
 * For each measure: the bound for a release, the target (`ofLimit`: as shares of the limit), and the limit that the
 * ratio refers to.
 */
const goals = {
  'cold start, CPU s': { must: 0.6, aim: 0.3, against: 'bare HTTP server', checked: true },
  'cold start, ms to the first page': { must: 800, aim: 400, against: 'bare HTTP server' },
  'idle memory, MB': { must: 130, aim: 90, against: 'bare HTTP server', checked: true },
  'idle CPU, %': { must: 0.5, aim: 0.1 },
  'scrape p50 above a raw fetch, ms': { must: 8, aim: 4, against: 'raw fetch p50' },
  'scrape p99, ms': { must: 30, aim: 15, against: 'raw fetch p99' },
  'pages per s at 16': { must: 150, aim: 300, against: 'raw fetches per s', more: true },
  'pages per s at 64': { must: 150, aim: 300, against: 'raw fetches per s', more: true },
  'CPU s per 1,000 pages at 16': { must: 5, aim: 2.5, against: 'raw fetch and markdown', checked: true },
  'CPU s per 1,000 pages at 64': { must: 5, aim: 2.5, against: 'raw fetch and markdown', checked: true },
  'p99 by p50 at 64': { must: 3, aim: 2 },
  'cached scrape p50, ms': { must: 3, aim: 1.5, against: 'raw fetch p50' },
  'cached scrapes per s at 16': { must: 500, aim: 1200, against: 'raw fetches per s', more: true },
  'CPU s per 1,000 cached scrapes': { against: 'raw fetch' },
  'cached page, first time in a format: p50, ms': { against: 'raw fetch p50' },
  'peak memory, MB': { must: 500, aim: 300, against: 'bare HTTP server' },
  'crawl, pages per s': { must: 0.2, aim: 0.4, against: 'fetch and follow', more: true, ofLimit: true },
  'crawl, CPU s per 1,000 pages': { must: 5, aim: 2.5, against: 'fetch and follow', checked: true },
  'crawl kept in the cache, CPU s per 1,000 pages': { against: 'fetch and follow' },
  'crawl, pages per s at 300 ms, 100 at once': { must: 150, aim: 250, against: 'what the latency allows', more: true },
  'crawl, ms to the first document': { must: 300, aim: 100, against: 'raw fetch p50' },
  'crawl, commits per page': {},
  'crawl, CPU per page: the largest by the smallest': { must: 1.25, aim: 1, checked: true },
  'crawl, peak memory, MB': { must: 500, aim: 300, against: 'crawl of 200 pages', checked: true },
  'crawl, MB beyond a crawl of 200 pages': { must: 100, checked: true },
  'memory a minute after the crawl, MB': { must: 250, aim: 160, against: 'bare HTTP server', checked: true },
  'batch, pages per s': { must: 0.2, aim: 0.4, against: 'fetch and follow', more: true, ofLimit: true },
  'batch, CPU s per 1,000 pages': { must: 5, aim: 2.5, against: 'fetch and follow', checked: true },
  'map of 2,000 pages, ms': { must: 250, aim: 120, against: 'raw fetch p50' },
  'map of 2,000 pages, known, ms': { must: 20, aim: 8, against: 'raw fetch p50' },
  'map of 50,000 pages, ms': { must: 2000 },
  'rendered pages per s at 4': { must: 0.6, against: 'bare browser, same visits', more: true, ofLimit: true },
  'browser, ms from launch to the first page': { must: 600, aim: 300, against: 'bare browser, same visits' },
  'browser, MB per further open page': { must: 26, against: 'bare browser, same visits', checked: true },
  'rendered scrape with actions, ms': { must: 1.3, against: 'bare browser, same waiting', ofLimit: true },
  'first interact, ms': { must: 1.5, against: 'new context and visit', ofLimit: true },
  'further node call above the bare call, ms': { must: 50, against: 'bare call' },
  'live view, ms to the first picture': { must: 500 },
  'live view, pictures per s': { must: 10, more: true },
  'page to markdown, CPU ms': { must: 3, against: 'parse by htmlparser2' },
  'synced write of 4 KB, ms': {},
  'durable settlements per s': { against: 'synced writes per s', more: true },
}

/** The CPU time of parsing a page of the benchmark on the machine that the bounds were set on, in milliseconds. */
const parseMsThere = 0.38

/** A sentence about how much slower this machine is than the one that the bounds refer to. */
export function slowness(rows) {
  const here = rows.find(({ measure }) => measure === 'page to markdown, CPU ms').limit
  return `Bounds in ms and CPU s are of a machine that parses such a page in ${parseMsThere} ms; this one needs ${here}, ${digits(here / parseMsThere)} times as long.`
}

/** How far a checked measure may exceed its bound before `--check` fails: shared machines vary. */
const margin = 1.5

const digits = (value) => (value === null || value === undefined ? null : Number(value.toPrecision(3)))

/** A row of the table; `limit` was measured in the same run, and is null if there is none. */
export function row(measure, value, limit) {
  const goal = goals[measure]
  if (goal === undefined) throw new Error(`There is no goal for "${measure}".`)
  return { measure, value: digits(value), limit: digits(limit), ratio: limit === null ? null : digits(value / limit), against: goal.against ?? null, must: goal.must ?? null, aim: goal.aim ?? null }
}

/** The rows as aligned text. */
export function table(rows) {
  const shown = (value) => (value === null ? '' : String(value))
  const bound = (one, value) => (value === null ? '' : `${goals[one.measure].more ? '>=' : '<='} ${value}${goals[one.measure].ofLimit ? ' of it' : ''}`)
  const head = ['measure', 'value', 'must', 'aim', 'ratio', 'to', '(measured)']
  const lines = rows.map((one) => [one.measure, shown(one.value), bound(one, one.must), bound(one, one.aim), shown(one.ratio), shown(one.against), shown(one.limit)])
  const widths = head.map((title, i) => Math.max(title.length, ...lines.map((line) => line[i].length)))
  return [head, ...lines].map((line) => line.map((cell, i) => (i === 0 || i === 5 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  ').trimEnd()).join('\n')
}

/** The measures of CPU and memory that exceed their bound by far. */
export function beyondBound(rows) {
  return rows.filter((one) => goals[one.measure].checked && one.value > one.must * margin)
}
