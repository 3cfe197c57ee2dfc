import type * as unpdf from 'unpdf'
import { isLinkable } from '../links.ts'
import { readingOrder } from '../finish/right-to-left.ts'

type Proxy = Awaited<ReturnType<(typeof unpdf)['getDocumentProxy']>>

/** A node of a page's structure tree (PDF 1.7, 14.7), with a standard role. */
export interface TagNode {
  readonly role: string
  readonly children: readonly (TagNode | TagLeaf)[]
}

/** Marked content or an annotation, by id. */
export interface TagLeaf {
  readonly id: string
}

export const isNode = (one: TagNode | TagLeaf): one is TagNode => 'role' in one

/** A text run and its position: top and bottom, left and right, and the size of its letters. */
export interface TagText {
  readonly text: string
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
  readonly size: number
  /** Where its last line ends. */
  readonly end: number
  /** Where each of its lines starts. */
  readonly lefts: readonly number[]
}

/**
 * A line outside of marked content, such as a header or footer, and the id of the marked content that was drawn before it.
 */
export interface LooseLine extends TagText {
  readonly after: string | null
}

/** The tags of a page, and what they refer to. */
export interface TaggedPage {
  readonly root: TagNode
  /** By the id of marked content; line ends as on the page. */
  readonly texts: ReadonlyMap<string, TagText>
  readonly loose: readonly LooseLine[]
  /** Link targets, by the id of the annotation. */
  readonly urls: ReadonlyMap<string, string>
}

/** The number at the end of the id of marked content; -1 without one. */
export const mcidOf = (id: string): number => Number(/_mc(\d+)$/.exec(id)?.[1] ?? -1)

type Item = Awaited<ReturnType<Awaited<ReturnType<Proxy['getPage']>>['getTextContent']>>['items'][number]
type Run = Extract<Item, { str: string }>

const runOf = (item: Run): TagText => {
  const [x, y] = [Number(item.transform[4]), Number(item.transform[5])]
  return { text: item.str + (item.hasEOL ? '\n' : ''), top: y, bottom: y, left: x, right: x + item.width, size: item.height, end: x + item.width, lefts: [x] }
}

const isEmpty = ({ text }: TagText): boolean => text.trim() === ''

/** Whether small letters beside others are superscript or subscript; null for neither, as for several lines beside a drop cap. */
export function shiftOf(beside: TagText, { size, bottom, top }: TagText): 'sup' | 'sub' | null {
  const up = (bottom - beside.bottom) / beside.size
  if (size > beside.size * 0.85 || top - bottom > size / 2 || Math.abs(up) < 0.08 || Math.abs(up) > 0.7) return null
  return up > 0 ? 'sup' : 'sub'
}

/** Wraps text in a tag; white space stays outside. */
export const shifted = (text: string, tag: 'sup' | 'sub'): string => text.replace(/\S(?:[^]*\S)?/, (inner) => `<${tag}>${inner}</${tag}>`)

/** Joins a run and the next one; blank text has no position. */
function joined(a: TagText | undefined, b: TagText): TagText {
  const shift = a === undefined || isEmpty(b) || isEmpty(a) || b.text.includes('\n') ? null : shiftOf(a, b)
  if (a !== undefined && shift !== null) return { ...a, text: a.text + shifted(b.text, shift), right: Math.max(a.right, b.right), end: b.right }
  if (a === undefined || isEmpty(b)) return a === undefined ? b : { ...a, text: a.text + b.text }
  if (isEmpty(a)) return { ...b, text: a.text + b.text }
  return { text: a.text + b.text, top: a.top, bottom: b.bottom, left: Math.min(a.left, b.left), right: Math.max(a.right, b.right), size: Math.max(a.size, b.size), end: b.right, lefts: a.text.endsWith('\n') ? [...a.lefts, b.left] : a.lefts }
}

/** Joins runs to one text; undefined for none. */
const oneOf = (runs: readonly TagText[]): TagText | undefined => readingOrder(runs).reduce<TagText | undefined>((whole, run) => joined(whole, run), undefined)

function sorted(items: readonly Item[]): Pick<TaggedPage, 'texts' | 'loose'> {
  const runs = new Map<string, TagText[]>()
  const loose: LooseLine[] = []
  let last: string | null = null
  const open: (string | undefined)[] = []
  let line: TagText[] = []
  const endLine = (): void => {
    const whole = oneOf(line)
    if (whole !== undefined && !isEmpty(whole)) loose.push({ ...whole, after: last })
    line = []
  }
  for (const item of items) {
    if (!('str' in item)) {
      if (item.type === 'endMarkedContent') open.pop()
      else open.push(item.type === 'beginMarkedContentProps' ? item.id : undefined)
      continue
    }
    const id = open.findLast((one) => one !== undefined && one !== null)
    if (id === undefined || id === null) {
      line.push(runOf(item))
      if (item.hasEOL) endLine()
    } else {
      endLine()
      last = id
      const own = runs.get(id) ?? []
      own.push(runOf(item))
      runs.set(id, own)
    }
  }
  endLine()
  const texts = new Map<string, TagText>()
  for (const [id, all] of runs) {
    const whole = oneOf(all)
    if (whole !== undefined) texts.set(id, whole)
  }
  return { texts, loose }
}

/** Reads the tags of a page; null when it has none. */
export async function taggedPage(proxy: Proxy, pageNumber: number): Promise<TaggedPage | null> {
  const page = await proxy.getPage(pageNumber)
  try {
    const root = (await page.getStructTree()) as TagNode | null // null without tags, which its type does not say
    if (root === null) return null
    const { items } = await page.getTextContent({ includeMarkedContent: true })
    const annotations = (await page.getAnnotations()) as readonly { readonly id: string; readonly url?: string }[] // the properties that are read
    return { root, ...sorted(items), urls: new Map(annotations.flatMap(({ id, url }) => (url !== undefined && isLinkable(url) ? [[id, url] as const] : []))) }
  } finally {
    page.cleanup()
  }
}
