import type { Page } from '../clean/step.ts'

/**
 * Below this expected F1, a page with enough letters gets a warning: on such pages less than half of the words are right.
 */
export const unsure = 0.4
const enoughLetters = 500

/** Warns, on a page with enough text, that its content could not be told apart from the rest. */
export function warnUnsure(page: Page, letters: number): void {
  if (letters >= enoughLetters) page.warn('What is the content of this page, and what only stands around it, could not be told apart well; `onlyMainContent: false` gives all of it.')
}
