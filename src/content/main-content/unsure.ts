import type { Page } from '../clean/step.ts'

/** The expected F1 below which a page with that many letters is worth a warning: of such pages less than half of the words is right. */
export const unsure = 0.4
const enoughLetters = 500

/** Says of a page with some text that its content was not told apart from the rest. */
export function warnUnsure(page: Page, letters: number): void {
  if (letters >= enoughLetters) page.warn('What is the content of this page, and what only stands around it, could not be told apart well; `onlyMainContent: false` gives all of it.')
}
