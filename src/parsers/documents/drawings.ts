import { type Cell, escapeHtml, flow, type Paragraph, table } from './html.ts'
import { all, at, attributeOf, childrenOf, countOf, textIn, type XmlElement } from './xml.ts'

const maxPoints = 5_000
const maxSeries = 200
const deepest = 8

/** The cached values of a series by index. */
function pointsOf(element: XmlElement | undefined): ReadonlyMap<number, string> {
  return new Map(all(element, 'pt').slice(0, maxPoints).map((point) => [countOf(point, 'idx', { most: maxPoints - 1, otherwise: 0 }), textIn(at(point, 'v'))]))
}

/** The labels of points by index. Those of an outer level of several ("2024" over "Q1" to "Q4") hold until the next one. */
function labelsOf(element: XmlElement | undefined): ReadonlyMap<number, string> {
  const [inner = pointsOf(element), ...outer] = all(element, 'lvl').map(pointsOf)
  const said = outer.map(() => '')
  return new Map([...inner.keys()].toSorted((a, b) => a - b).map((index) => {
    outer.forEach((labels, level) => (said[level] = labels.get(index) ?? said[level] ?? ''))
    return [index, [...said.toReversed(), inner.get(index) ?? ''].filter((text) => text !== '').join(', ')]
  }))
}

const lineOf = (element: XmlElement | undefined): string => all(element, 'p').map(textIn).join(' ').trim()

/** The title above the values of a chart. */
export const chartTitle = (title: string): string => (title === '' ? '' : `<p><strong>${escapeHtml(title)}</strong></p>\n`)

/** A chart of an Office file, as its title and the values that the file keeps of it: a table for all series with the same labels. */
export function chartHtml(root: XmlElement | undefined): string {
  const chart = at(root, 'chartSpace', 'chart')
  const series = all(chart, 'ser').slice(0, maxSeries)
  const heading = chartTitle(lineOf(at(chart, 'title', 'tx')) || textIn(at(chart, 'title', 'tx', 'strRef', 'strCache', 'pt', 'v')))
  const labelled = (one: XmlElement): XmlElement | undefined => at(one, 'cat') ?? at(one, 'xVal')
  const usual = series.map(labelled).find((one) => one !== undefined)
  const groups = new Map<string, { readonly labels: ReadonlyMap<number, string>; readonly series: XmlElement[] }>()
  for (const one of series) {
    const labels = labelsOf(labelled(one) ?? usual)
    const key = JSON.stringify([...labels])
    groups.set(key, groups.get(key) ?? { labels, series: [] })
    groups.get(key)?.series.push(one)
  }
  return heading + [...groups.values()].map(valuesHtml).join('')
}

function valuesHtml({ labels, series }: { readonly labels: ReadonlyMap<number, string>; readonly series: readonly XmlElement[] }): string {
  const values = series.map((one) => pointsOf(at(one, 'val') ?? at(one, 'yVal')))
  const rows = [...new Set(values.flatMap((points) => [...points.keys()]))].sort((a, b) => a - b)
  if (rows.length === 0) return ''
  const cell = (text: string | undefined): Cell => ({ html: escapeHtml(text ?? '') })
  const head = [cell(''), ...series.map((one) => cell([...pointsOf(at(one, 'tx')).values()].join(' ') || textIn(at(one, 'tx', 'v'))))]
  return table([head, ...rows.map((row) => [cell(labels.get(row) ?? String(row + 1)), ...values.map((points) => cell(points.get(row)))])], 1)
}

/** A diagram of an Office file ("SmartArt"), as the list of its texts. */
export function diagramHtml(root: XmlElement | undefined): string {
  const model = at(root, 'dataModel')
  const points = new Map(childrenOf(at(model, 'ptLst'), 'pt').map((point) => [attributeOf(point, 'modelId'), point]))
  const links = childrenOf(at(model, 'cxnLst'), 'cxn').filter((link) => (attributeOf(link, 'type') ?? 'parOf') === 'parOf').sort((a, b) => orderOf(a) - orderOf(b))
  const below = new Map<string | undefined, (string | undefined)[]>()
  for (const link of links) {
    const from = attributeOf(link, 'srcId')
    const known = below.get(from)
    if (known === undefined) below.set(from, [attributeOf(link, 'destId')])
    else known.push(attributeOf(link, 'destId'))
  }
  const items: Paragraph[] = []
  const seen = new Set<string | undefined>()
  /** In the order of the texts, without recursion: a file may nest them as deep as it likes. */
  const write = (first: string | undefined, outer: number): void => {
    const waiting = [{ id: first, level: outer }]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { id, level } = next
      if (seen.has(id)) continue
      seen.add(id)
      const html = childrenOf(at(points.get(id), 't'), 'p').map((one) => escapeHtml(textIn(one).trim())).filter((one) => one !== '').join('<br>')
      items.push({ tag: 'p', html, list: { level, ordered: false } })
      const inner = Math.min(deepest, level + (html === '' ? 0 : 1))
      for (const one of (below.get(id) ?? []).toReversed()) waiting.push({ id: one, level: inner })
    }
  }
  for (const [id, point] of points) if (attributeOf(point, 'type') === 'doc') write(id, 0)
  for (const [id, point] of points) if (!/^(?:pres|parTrans|sibTrans)$/.test(attributeOf(point, 'type') ?? '')) write(id, 0)
  return flow(items)
}

const orderOf = (link: XmlElement): number => countOf(link, 'srcOrd', { most: 100_000, otherwise: 0 })
