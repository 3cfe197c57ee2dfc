import type { Frame, Locator, Page } from 'playwright-core'
import type { PageReader } from '../../domain/sessions/sandbox.ts'

/** The input of a command: words as the user wrote them. */
export interface Order {
  /** Without the options. */
  readonly words: readonly string[]
  /** Options without a value map to '', others to their value. */
  readonly options: ReadonlyMap<string, string>
  readonly input: string | null
}

/** How the next dialog of a tab is answered; null: as in other languages. */
export type DialogPlan = { readonly accept: boolean; readonly text: string } | null

/** How dialogs are answered while commands run. */
export interface Dialogs {
  plan(page: Page, plan: DialogPlan): void
  planned(page: Page): DialogPlan
}

/** What commands work on. */
export interface Desk {
  /** The tab that commands use. */
  readonly page: Page
  /** The frame of the tab that commands read and act in: its main one, unless another was entered. Throws `Misuse` when that is gone. */
  readonly frame: Frame
  /** Makes later commands work in that frame of the tab; null: in its main one. */
  enter(frame: Frame | null): void
  readonly dialogs: Dialogs
  /** Makes markdown of a page; undefined where nothing reads pages. */
  readonly read: PageReader | undefined
  /** Makes later commands use another tab. */
  choose(page: Page): void
  /** For a single operation: its time limit, and a signal that ends it. */
  readonly terms: { readonly timeout: number; readonly signal: AbortSignal }
  /** The milliseconds that the run may still take. */
  readonly left: number
}

/** The output of a command, as text and (with `--json`) as data. */
export interface Said {
  readonly text: string
  readonly data: unknown
}

/** A command: its usage, its options (those with a value end in `=`), and its function. */
export interface Command {
  readonly use: string
  /** How many words it takes; null: any number, the last of which are a text, whatever they look like. */
  readonly most: number | null
  readonly options?: readonly string[]
  run(order: Order, desk: Desk): Promise<Said>
}

/** A command that cannot be carried out as written. */
export class Misuse extends Error {}

export const done: Said = { text: '✓ Done', data: null }
export const said = (data: unknown): Said => ({ text: typeof data === 'string' ? data : (JSON.stringify(data) ?? ''), data })

/** A file came where a page was wanted. */
export class FileCame extends Error {}

/** What happened, and what to do instead. */
export const fileCame = (name: string): string => `A file came (${JSON.stringify(name)}), and ${downloadsRefused}`
export const downloadsRefused = "downloads are refused here: read it from a page of its site, with eval 'fetch(…).then((answer) => answer.text())'."

/** The row of a table for a user's word; undefined for inherited properties. */
export const chosen = <T>(table: Readonly<Record<string, T>>, word: string): T | undefined => (Object.hasOwn(table, word) ? table[word] : undefined)

/** The word at an index. Throws `Misuse` when it is missing. */
export function need({ words }: Order, index: number, what: string): string {
  const word = words[index]
  if (word === undefined) throw new Misuse(`${what} is missing`)
  return word
}

/** The words from an index on, as one text. */
export function needText(order: Order, index: number, what: string): string {
  need(order, index, what)
  return order.words.slice(index).join(' ')
}

/** A number of a command. Throws `Misuse` for anything else. */
export function numberOf(word: string, what: string): number {
  if (!/^-?\d+(\.\d+)?$/.test(word)) throw new Misuse(`${what} must be a number, not "${word}"`)
  return Number(word)
}

const reference = /^(?:@|ref=)?(?<ref>(?:f\d+)?e\d+)$/

/**
 * The element that a word names: `@e1` or `e1` of the last snapshot, or a selector. Throws `Misuse` for a reference that is not on
 * the page.
 */
export async function element(frame: Frame, word: string): Promise<Locator> {
  const { ref } = reference.exec(word)?.groups ?? {}
  if (ref === undefined) {
    if (word.startsWith('@')) throw new Misuse(`"${word}" is no element reference; snapshot lists them as @e1, @e2 …`)
    return frame.locator(word).first()
  }
  // References of all frames belong to the page.
  const locator = frame.page().locator(`aria-ref=${ref}`)
  // Waiting would not help: snapshots assign the references.
  const there = await locator.count().catch(() => 0)
  if (there === 0) throw new Misuse(`there is no element ${word} on the page now; take a new snapshot`)
  return locator
}
