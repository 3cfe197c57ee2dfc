import { Parser } from 'htmlparser2'
import type { StreamParts } from './hls.ts'
import { urlOf } from '../../lib/url-of.ts'

type Attributes = Readonly<Record<string, string>>

/** An element of the manifest, with inherited attributes. */
interface Node {
  readonly name: string
  readonly attributes: Attributes
  readonly children: Node[]
  text: string
}

const maxNodes = 50_000
const maxParts = 5_000
/** The parser's cost grows with the square of the depth, and it keeps all attributes of a tag until the tag ends. */
const maxDepth = 64
const maxAttributes = 1_000
/** The parser processes a whole piece before it can be stopped. */
const piece = 65_536

/** A manifest as a tree; null for one that is nested too deeply, or has a tag with too many attributes. */
function treeOf(xml: string): Node | null {
  const root: Node = { name: '', attributes: {}, children: [], text: '' }
  const open: Node[] = [root]
  let count = 0
  let attributeCount = 0
  const parser = new Parser(
    {
      onopentagname: () => void (attributeCount = 0),
      onattribute: () => void attributeCount++,
      onopentag(name, attributes) {
        const node: Node = { name: name.replace(/^.*:/, ''), attributes, children: [], text: '' }
        if (count++ < maxNodes) open.at(-1)?.children.push(node)
        open.push(node)
      },
      ontext(text) {
        const node = open.at(-1)
        if (node?.name === 'BaseURL') node.text += text
      },
      onclosetag: () => void open.pop(),
    },
    { xmlMode: true },
  )
  for (let at = 0; at < xml.length; at += piece) {
    parser.write(xml.slice(at, at + piece))
    if (open.length > maxDepth || attributeCount > maxAttributes) return null
  }
  parser.end()
  return root
}

const childrenOf = (node: Node | undefined, name: string): readonly Node[] => node?.children.filter((child) => child.name === name) ?? []
const seconds = (duration: string): number => {
  const [, hours, minutes, rest] = /^P(?:\d+D)?T(?:([\d.]+)H)?(?:([\d.]+)M)?(?:([\d.]+)S)?$/.exec(duration) ?? []
  return Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60 + Number(rest ?? 0)
}

/** The address of a part, made from its template. */
function named(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(/\$(RepresentationID|Number|Time|Bandwidth)(?:%0(\d{1,2})d)?\$/g, (_, key: string, width: string | undefined) => String(values[key] ?? '').padStart(Number(width ?? 0), '0')).replaceAll('$$', '$')
}

/** The numbers and times of the parts of a template. */
function counted(template: Node, total: number): readonly { readonly Number: number; readonly Time: number }[] {
  const first = Number(template.attributes['startNumber'] ?? 1)
  const [timeline] = childrenOf(template, 'SegmentTimeline')
  const found: { Number: number; Time: number }[] = []
  let time = 0
  for (const { attributes } of childrenOf(timeline, 'S')) {
    time = Number(attributes['t'] ?? time)
    for (let i = 0; i <= Number(attributes['r'] ?? 0) && found.length <= maxParts; i++) {
      found.push({ Number: first + found.length, Time: time })
      time += Number(attributes['d'] ?? 0)
    }
  }
  const length = Number(template.attributes['duration'] ?? 0) / Number(template.attributes['timescale'] ?? 1)
  if (timeline !== undefined || !(length > 0)) return found
  return Array.from({ length: Math.min(maxParts + 1, Math.ceil(total / length)) }, (_, i) => ({ Number: first + i, Time: 0 }))
}

const kindOf = (set: Node, one: Node): string => (one.attributes['mimeType'] ?? set.attributes['mimeType'] ?? set.attributes['contentType'] ?? '').split('/')[0] ?? ''

/**
 * Reads an MPEG-DASH manifest: the stream of that kind with the highest bandwidth in the first period, or why it cannot be
 * fetched.
 */
export function readManifest(xml: string, url: string, kind: 'audio' | 'video'): StreamParts | { readonly why: string } {
  const [mpd] = childrenOf(treeOf(xml) ?? undefined, 'MPD')
  if (mpd === undefined) return { why: 'its manifest cannot be read' }
  if (mpd.attributes['type'] === 'dynamic') return { why: 'it is a live stream' }
  const [period] = childrenOf(mpd, 'Period')
  const sets = childrenOf(period, 'AdaptationSet')
  if (sets.some((set) => childrenOf(set, 'ContentProtection').length > 0)) return { why: 'it is encrypted' }
  const all = sets.flatMap((set) => childrenOf(set, 'Representation').map((one) => ({ set, one })))
  const [best] = all.filter(({ set, one }) => kindOf(set, one) === kind).sort((a, b) => Number(b.one.attributes['bandwidth'] ?? 0) - Number(a.one.attributes['bandwidth'] ?? 0))
  if (best === undefined || period === undefined) return { why: `its manifest has no ${kind}` }
  const { set, one } = best
  const bases = [mpd, period, set, one].flatMap((node) => childrenOf(node, 'BaseURL')[0]?.text.trim() ?? [])
  const base = bases.reduce((now, next) => urlOf(next, now)?.href ?? now, url)
  const levels = [one, set, period]
  const template = levels.flatMap((node) => childrenOf(node, 'SegmentTemplate')).at(0)
  const list = levels.flatMap((node) => childrenOf(node, 'SegmentList')).at(0)
  const values = { RepresentationID: one.attributes['id'] ?? '', Bandwidth: one.attributes['bandwidth'] ?? '' }
  const total = seconds(period.attributes['duration'] ?? mpd.attributes['mediaPresentationDuration'] ?? '')
  const { initialization, media } = template?.attributes ?? {}
  const names =
    template !== undefined && media !== undefined
      ? [...(initialization === undefined ? [] : [named(initialization, values)]), ...counted(template, total).map((count) => named(media, { ...values, ...count }))]
      : list !== undefined
        ? [...childrenOf(list, 'Initialization').flatMap((node) => node.attributes['sourceURL'] ?? []), ...childrenOf(list, 'SegmentURL').flatMap((node) => node.attributes['media'] ?? [])]
        : [base]
  const parts = names.flatMap((name) => urlOf(name, base)?.href ?? [])
  if (parts.length === 0 || parts.length > maxParts) return { why: parts.length === 0 ? 'its manifest is empty' : 'it has too many parts' }
  return { parts, type: (one.attributes['mimeType'] ?? set.attributes['mimeType'] ?? `${kind}/mp4`).toLowerCase(), silent: kind === 'video' && all.some((other) => kindOf(other.set, other.one) === 'audio') }
}
