import type { AnyNode, Element } from 'domhandler'
import { InlineRun, type Link, type Segment, deleted, emphasis, strong } from './inline-run.ts'
import { renderRun } from './inline-render.ts'
import { Lines } from './lines.ts'
import { type Count, withoutLabel } from './list-labels.ts'
import type { Notes } from './notes.ts'
import type { TablePlan } from './table-plan.ts'
import { beginsWith, openPanelNames, panelNames } from './tabs.ts'
import { mayHoldTex, splitTex } from './tex-text.ts'

/** Options of writing a page. */
export interface MarkdownOptions {
  /** The base of relative addresses: the page's address, or the one that its `base` element gives. */
  readonly baseUrl: string
  /** Replaces the address of data-URI images by a placeholder. */
  readonly removeBase64Images: boolean
  /** Nodes that are omitted, with everything inside. */
  readonly skip?: ReadonlySet<AnyNode>
}

/** Writes one kind of element; `enter` returns whether the children are to be visited. */
export interface Handler {
  enter(element: Element, page: Page): boolean
  /** Called after the children, when `enter` returned true. */
  leave?(element: Element, page: Page): void
}

/** Where inline content goes: into a paragraph, a heading (one line) or a table cell (one line). */
export type Mode = 'block' | 'heading' | 'cell'

/** A link that is open while its content is visited. */
export interface LinkScope {
  readonly link: Link
  /** The heading that gets the link when the link holds several blocks. */
  readonly carrier: Element | null
  /** Whether only the first text block inside gets the link. */
  readonly once: boolean
}

/** A list that is open while its items are visited. */
export interface ListScope {
  readonly ordered: boolean
  next: number
  readonly step: number
  readonly count: Count
  /** Each item is a bullet with its number as text: markdown cannot count like this list. */
  readonly labelled: boolean
  /** Whether its items begin with their numbers: these are written once. */
  readonly repeated: boolean
  /** True when it is directly inside another list, outside of that list's items. */
  readonly continued: boolean
  /** True when its items are footnotes. */
  readonly notes: boolean
}

const ownBullet = /^\s*[•‣◦▪●■∙·⁃](?=\s|\p{L}|$)/u
/** The same behind a sign: a box that a character draws, after one that is written as a check box. */
const ownBox = /^\s*[•‣◦▪●■∙·⁃▢□☐☑✓](?=\s|\p{L}|$)/u

/** The page being written, and the state that handlers share. */
export class Page {
  readonly options: MarkdownOptions
  readonly notes: Notes
  readonly lines = new Lines()
  readonly run = new InlineRun()
  readonly #skip: Set<AnyNode>
  readonly lists: ListScope[] = []
  /** Lists still to come that go on with the open one. */
  readonly joined = new Set<AnyNode>()
  /** Open lists whose items are the sections of a reference. */
  readonly sectionLists = new Set<AnyNode | null>()
  readonly linkScopes: LinkScope[] = []
  readonly tables: TablePlan[] = []
  /** The link that text belongs to at the moment. */
  link: Link | null = null
  mode: Mode = 'block'
  /** Tab panels still to come, with the names of their tabs. */
  readonly #panels = new Map<Element, string>()
  #strong = 0
  #emphasis = 0
  #deleted = 0
  #marks = 0
  /** Whether a list item was begun and nothing was written into it yet. */
  #begun = false
  /** The number that this item repeats; '' for none. */
  #label = ''
  /** The sign at the start of an item: a check box, or a bullet in a table cell. */
  #sign: Segment | undefined

  constructor(options: MarkdownOptions, notes: Notes) {
    this.options = options
    this.notes = notes
    this.#skip = new Set(options.skip)
  }

  /** Nodes that are not written. */
  get skip(): ReadonlySet<AnyNode> {
    return this.#skip
  }

  /** Omits a node that is still to come. */
  omit(node: AnyNode): void {
    this.#skip.add(node)
  }

  /** Adds literal text to the current run. */
  text(data: string): void {
    if (this.#begun && data.trim() !== '') {
      this.#begun = false
      return this.text(this.#label === '' ? data.replace(this.#sign === undefined ? ownBullet : ownBox, '') : withoutLabel(data, this.#label))
    }
    if (!mayHoldTex(data)) return this.run.text(data, this.#marks, this.link)
    for (const part of splitTex(data)) {
      if (part.ascii) this.code(part.text.replace(/\s+/g, ' '))
      else if (part.tex) this.formula(part.text, part.display && this.link === null && this.#marks === 0)
      else this.run.text(part.text, this.#marks, this.link)
    }
  }

  /** Begins a list item, whose text may show a bullet itself, or repeat the label that it is given. */
  beginItem(label: string): void {
    this.#begun = true
    this.#label = label
  }

  /** Ends a list item. */
  endItem(): void {
    this.#sign = undefined
    this.#begun = false
  }

  /** Adds a sign at the start of an item; its first paragraph continues on the same line. */
  sign(sign: string): void {
    this.raw(sign)
    this.#sign = this.run.segments.at(-1)
    this.text(' ')
  }

  /**
   * Takes the names of a list of tabs, to write each above its panel. Returns whether it took them: then the list itself is
   * omitted.
   */
  nameTabs(list: Element): boolean {
    if (this.mode !== 'block') return false
    const names = panelNames(list, this.skip) ?? openPanelNames(list, this.skip)
    for (const [panel, name] of names) this.#panels.set(panel, name)
    return names.size > 0
  }

  /** Writes the tab name of a panel, unless the panel has none or starts with it. */
  beginPanel(panel: Element): void {
    if (this.#panels.size === 0) return
    const name = this.#panels.get(panel)
    if (name === undefined || beginsWith(panel, name, this.skip)) return
    this.boundary()
    this.mark(strong, 1)
    this.text(name)
    this.boundary()
    this.mark(strong, -1)
  }

  /** Adds finished inline markdown to the current run. */
  raw(markdown: string): void {
    this.#begun = false
    this.run.raw(markdown, this.#marks, this.link)
  }

  /** Adds inline code. */
  code(text: string): void {
    this.#begun = false
    this.run.code(text, this.#marks, this.link)
  }

  /** Adds a formula. */
  formula(tex: string, display: boolean): void {
    const source = tex.trim()
    if (source === '') return
    if (!display || this.mode !== 'block') return this.raw(`$${source.replace(/\s+/g, ' ')}$`)
    this.boundary()
    this.lines.write('paragraph', displayFormula(source))
  }

  /** Adds finished inline markdown outside of any link. */
  rawUnlinked(markdown: string): void {
    this.run.raw(markdown, this.#marks, null)
  }

  /** Counts an emphasis mark in (1) or out (-1). */
  mark(which: number, by: 1 | -1): void {
    if (which === strong) this.#strong += by
    else if (which === emphasis) this.#emphasis += by
    else this.#deleted += by
    this.#marks = (this.#strong > 0 ? strong : 0) | (this.#emphasis > 0 ? emphasis : 0) | (this.#deleted > 0 ? deleted : 0)
  }

  /** Adds a line break; two in a row end the paragraph. */
  break(): void {
    if (this.mode === 'heading') this.text(' ')
    else if (this.mode === 'block' && this.run.endsWithBreak) this.boundary()
    else this.run.break(this.#marks, this.link)
  }

  /** Marks the edge of a block, unless it directly follows the sign of an item. */
  softBoundary(): void {
    const { segments } = this.run
    if (this.#sign === undefined || segments.at(-2) !== this.#sign || segments.at(-1)?.text !== ' ') this.boundary()
  }

  /** Marks the edge of a block: ends the paragraph; in a heading or cell it only separates the text. */
  boundary(): void {
    if (this.run.isEmpty) return
    if (this.mode === 'heading') return this.text(' ')
    if (this.mode === 'cell') return this.run.break(this.#marks, this.link)
    const segments = this.run.take()
    const { atMarker } = this.lines
    const markdown = displayed(segments) ?? renderRun(segments, { kind: 'block', atMarker })
    if (markdown !== '') this.lines.write('paragraph', markdown)
    this.#spendLink(segments.some((s) => s.kind === 'text' && s.link !== null))
  }

  /** Ends a run that is not a paragraph, and returns it as one line. */
  takeLine(kind: 'line' | 'cell'): string {
    const taken = this.run.take()
    // A heading is bold already.
    const segments = kind === 'line' ? taken.map((s) => ({ ...s, marks: s.marks & ~strong })) : taken
    this.#spendLink(segments.some((s) => s.kind === 'text' && s.link !== null))
    return renderRun(segments, { kind, atMarker: false })
  }

  /** True inside a link that only its first text block gets. */
  get sharesLink(): boolean {
    return this.linkScopes.at(-1)?.once === true
  }

  #spendLink(used: boolean): void {
    if (used && this.sharesLink && this.mode === 'block') this.link = null
  }
}

function displayFormula(tex: string): string {
  return `$$\n${tex.trim().replace(/\n\s*(?=\n)/g, '')}\n$$`
}

/** The lines of a formula that has a paragraph to itself; null for any other paragraph. */
function displayed(segments: readonly Segment[]): string | null {
  const visible = segments.filter((s) => s.kind === 'raw' || (s.kind === 'text' && s.text.trim() !== ''))
  const [only] = visible
  const tex = only && visible.length === 1 && only.kind === 'raw' ? /^\$([^$]+)\$$/.exec(only.text)?.[1] : undefined
  return tex === undefined ? null : displayFormula(tex)
}
