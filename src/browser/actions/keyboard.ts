import { clickOn } from './elements.ts'
import { keyNamed } from './keys.ts'
import { ActionError, type ActionHandler, ask, calm, inTime, type Stage } from './stage.ts'

/** Whether keys go to an element; one in a frame of another site cannot be asked for more. */
const focused = String.raw`(() => {
  let element = document.activeElement
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
  return element !== null && element !== document.body && element !== document.documentElement
})()`

/** Types text key by key into the element that has the focus; with a selector, into that one. */
export const write: ActionHandler<'write'> = async ({ text, selector }, stage) => {
  // An empty selector is none (contract §1.3).
  if (selector !== undefined && selector !== '') await inTime(stage, clickOn(stage, selector))
  if (!(await ask<boolean>(stage, focused))) throw new ActionError('No element has the focus that could be written into; click on one first, or give a selector.')
  await inTime(stage, stage.tab.page.keyboard.type(text))
  await calm(stage)
}

/** Presses a key, or several at once. */
export const press: ActionHandler<'press'> = async ({ key }, stage) => {
  await inTime(stage, stroke(stage, key))
  await calm(stage)
}

async function stroke({ tab }: Stage, key: string): Promise<void> {
  try {
    await tab.page.keyboard.press(keyNamed(key))
  } catch (error) {
    if (error instanceof Error && /Unknown key/i.test(error.message)) throw new ActionError(`There is no key ${JSON.stringify(key)}. Keys are named as Enter, Tab, ArrowDown, a or Control+A are.`, { cause: error })
    throw error
  }
}
