import type { Dialog, Download, Page } from 'playwright-core'
import { withTimeout } from '../../lib/with-timeout.ts'
import { type Command, type DialogPlan, type Dialogs, Misuse, need, type Said } from './command.ts'
import { lineTo } from './lines.ts'

/** What happened in a tab besides what a command asked for. */
export interface Happened {
  /** The dialogs, a sentence each. */
  readonly dialogs: readonly string[]
  /** The file that came last, which is refused; null when none did. */
  readonly file: string | null
}

/** Watches what happens in tabs, and answers dialogs as commands want. */
export interface Events extends Dialogs {
  /** Begins to watch a tab; never rejects. */
  watch(page: Page): Promise<void>
  /** Whether commands run: dialogs are only answered then. */
  running: boolean
  /** Settles when what a tab was asked to open has come, a page or a file, or after a while. */
  arrival(page: Page, limitMs: number): Promise<void>
  /** The next file of a tab is told of already. */
  expectFile(page: Page): void
  /** What happened in a tab since the last call. */
  take(page: Page): Happened
}

interface Open {
  readonly kind: string
  readonly message: string
  readonly plan: DialogPlan
}

const mostDialogs = 10
/** How long a command waits for what it has led to. */
const arrivalMs = 1_000
/** Whether the focus is on a link that leads to a file by its own word: Chromium does not tell when one is followed. */
const onFileLink = `(() => {
  let at = document.activeElement
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
  return at?.closest('a[download], area[download]') != null
})()`
const nothing: Happened = { dialogs: [], file: null }

/** How a dialog ended, whoever answered it. */
function endOf({ kind, message, plan }: Open, accepted: boolean): string {
  const shown = `The page showed a dialog (${kind}): ${JSON.stringify(message)}`
  if (kind === 'alert') return `${shown}.`
  if (accepted) return `${shown}; it was accepted.`
  if (plan?.accept === true) return `${shown}; it was dismissed by another client of the session.`
  return plan === null ? `${shown}; it was dismissed. "dialog accept" before the command accepts it.` : `${shown}; it was dismissed.`
}

/** Events of a session's tabs; `answers` is told whether dialogs are to be answered. */
export function events(answers: (yes: boolean) => void): Events {
  const watched = new WeakMap<Page, Happened>()
  const open = new WeakMap<Page, Open>()
  const expected = new WeakSet<Page>()
  /** Those who wait for what a tab was asked to open; empty while nobody does. */
  const asked = new WeakMap<Page, Set<() => void>>()
  const plans = new Map<Page, DialogPlan>()
  const happened = (page: Page): Happened => watched.get(page) ?? nothing
  /** Whether dialogs are left to us, until the one that is to be answered has closed. */
  let alone = false
  function tell(): void {
    alone = plans.size > 0
    answers(alone)
  }

  function onDialog(page: Page, dialog: Dialog): void {
    const kind = dialog.type()
    const plan = all.running ? all.planned(page) : null
    const ours = all.running && alone
    // Whether a page may be left is nothing that it says.
    if (kind === 'beforeunload') return void (ours && dialog.accept().catch(() => undefined))
    open.set(page, { kind, message: dialog.message().slice(0, 500), plan })
    if (!ours) return
    plans.delete(page)
    // A driver that is connected to the session may be faster.
    ;(plan?.accept === true ? dialog.accept(plan.text === '' ? dialog.defaultValue() : plan.text) : dialog.dismiss()).catch(() => undefined)
  }

  function onDialogClosed(page: Page, accepted: boolean): void {
    tell()
    const one = open.get(page)
    if (one === undefined) return
    open.delete(page)
    const { dialogs, file } = happened(page)
    watched.set(page, { dialogs: [...dialogs, endOf(one, accepted)].slice(-mostDialogs), file })
  }

  function onArrival(page: Page): void {
    const waiting = asked.get(page) ?? []
    asked.delete(page)
    for (const go of waiting) go()
  }

  function onDownload(page: Page, download: Download): void {
    if (!expected.delete(page)) watched.set(page, { ...happened(page), file: download.suggestedFilename().slice(0, 200) })
    onArrival(page)
  }

  async function begin(page: Page): Promise<void> {
    page.on('close', () => {
      plans.delete(page)
      // Of a dialog that went with its page, no end is told.
      tell()
    })
    page.on('dialog', (dialog) => onDialog(page, dialog))
    page.on('download', (download) => onDownload(page, download))
    page.on('framenavigated', () => onArrival(page))
    const line = await lineTo(page)
    // The driver does not tell how a dialog ended.
    line.on('Page.javascriptDialogClosed', ({ result }) => onDialogClosed(page, result))
    line.on('Page.frameRequestedNavigation', () => void asked.set(page, asked.get(page) ?? new Set()))
    line.on('Page.navigatedWithinDocument', () => onArrival(page))
    await line.send('Page.enable')
  }

  const all: Events = {
    running: false,
    plan(page, plan) {
      plans.set(page, plan)
      tell()
    },
    planned: (page) => plans.get(page) ?? null,
    async watch(page) {
      if (watched.has(page)) return
      watched.set(page, nothing)
      await begin(page).catch(() => undefined)
    },
    async arrival(page, limitMs) {
      const limit = Math.min(arrivalMs, limitMs)
      const leads = asked.has(page) || (await withTimeout(page.evaluate<boolean>(onFileLink).catch(() => false), limit, () => false))
      if (!leads || happened(page).file !== null) return
      const waiting = asked.get(page) ?? new Set()
      asked.set(page, waiting)
      const come = new Promise<void>((resolve) => void waiting.add(resolve))
      await withTimeout(come, limit, () => asked.delete(page))
    },
    expectFile: (page) => void expected.add(page),
    take(page) {
      const one = happened(page)
      watched.set(page, nothing)
      return one
    },
  }
  return all
}

const plannedText = (plan: DialogPlan): string => (plan === null ? 'Dialogs are not answered by commands.' : `The next dialog of this tab will be ${plan.accept ? 'accepted' : 'dismissed'}.`)

/** The command for dialogs: a page waits for the answer of one, so that it is given in advance. */
export const dialogCommand: Command = {
  use: 'dialog accept [text] (before the command that opens it) | dialog dismiss | dialog status',
  most: 2,
  async run(order, { page, dialogs }): Promise<Said> {
    const what = need(order, 0, 'accept, dismiss or status')
    const [, text = ''] = order.words
    if (what !== 'accept' && (order.words.length > 1 || (what !== 'dismiss' && what !== 'status'))) throw new Misuse('it is dialog accept, dismiss or status')
    if (what !== 'status') dialogs.plan(page, { accept: what === 'accept', text })
    const plan = dialogs.planned(page)
    return { text: plannedText(plan), data: plan }
  },
}
