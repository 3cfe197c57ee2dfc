import type { Dialog, Page } from 'playwright-core'

/** A dialog in a page that waits for an answer. */
export interface OpenDialog {
  readonly kind: string
  readonly message: string
  readonly value: string
  answer(accept: boolean, value: string): void
}

/** The dialogs that pages of a session show. */
export interface PageDialogs {
  /** Opens a dialog to viewers; it is dismissed when nobody answers it in time. */
  show(dialog: Dialog, page: Page): void
  /** Forgets the dialog of a page that closed, or whose dialog somebody else answered. */
  forget(page: Page): void
  /** Whether a dialog blocks the scripts of the page. */
  isBlocking(page: Page): boolean
  /** The dialog that was shown last, while it is open. */
  readonly open: OpenDialog | null
}

/** How long a dialog waits for an answer; the page is blocked meanwhile. */
const dialogMs = 30_000

/** Shows dialogs; `answered` says whether somebody is there to answer one, `changed` is called when the open dialog changes. */
export function pageDialogs(answered: () => boolean, changed: () => void): PageDialogs {
  /** By page: what dismisses the dialog that blocks it. */
  const timers = new Map<Page, NodeJS.Timeout>()
  let open: (OpenDialog & { readonly page: Page }) | null = null

  return {
    show(dialog, page) {
      const kind = dialog.type()
      const answer = (accept: boolean, value: string): void => {
        clearTimeout(timer)
        if (open === shown) {
          open = null
          changed()
        }
        // Somebody else may have answered it.
        ;(accept ? dialog.accept(value) : dialog.dismiss()).catch(() => undefined)
      }
      const timer = setTimeout(() => answer(kind === 'beforeunload', ''), answered() ? dialogMs : 0).unref()
      timers.set(page, timer)
      const shown = { kind, message: dialog.message().slice(0, 2_000), value: dialog.defaultValue().slice(0, 2_000), answer, page }
      open = shown
      changed()
    },
    forget(page) {
      clearTimeout(timers.get(page))
      timers.delete(page)
      if (open?.page !== page) return
      open = null
      changed()
    },
    isBlocking: (page) => timers.has(page),
    get open() {
      return open
    },
  }
}
