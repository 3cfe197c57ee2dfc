import { clickAt, complaint, seek } from './elements.ts'
import { putInto, putIntoFocused, sureOfKeys } from './fields.ts'
import { keyNamed } from './keys.ts'
import { ActionError, type ActionHandler, calm, inTime, type Stage } from './stage.ts'

/** Writes text into the focused element, or into the one that a selector names; types it key by key where that works. */
export const write: ActionHandler<'write'> = async ({ text, selector }, stage) => {
  // An empty selector counts as none (contract §1.3).
  if (selector === undefined || selector === '') await writeFocused(text, stage)
  else await writeInto(selector, text, stage)
  await calm(stage)
}

async function writeFocused(text: string, stage: Stage): Promise<void> {
  if (await putIntoFocused(stage, text)) return
  await sureOfKeys(stage, null)
  await inTime(stage, stage.tab.page.keyboard.type(text))
}

async function writeInto(selector: string, text: string, stage: Stage): Promise<void> {
  const seen = await inTime(stage, seek(stage, selector))
  if (seen.state !== 'ready') throw new ActionError(complaint(selector, seen))
  if (await putInto(stage, selector, text)) return
  await inTime(stage, clickAt(stage, seen))
  // Some fields are read-only until they are clicked, to keep the browser from filling in forms.
  await sureOfKeys(stage, selector)
  await writeFocused(text, stage)
}

/** Presses a key, or a combination of keys. */
export const press: ActionHandler<'press'> = async ({ key }, stage) => {
  await inTime(stage, stroke(stage, key))
  await calm(stage)
}

async function stroke({ tab }: Stage, key: string): Promise<void> {
  try {
    await tab.page.keyboard.press(keyNamed(key))
  } catch (error) {
    if (error instanceof Error && /Unknown key/i.test(error.message)) throw new ActionError(`There is no key ${JSON.stringify(key)}. ${[...key].length === 1 ? 'The keyboard is American; the action write types any character.' : 'Keys are named as Enter, Tab, ArrowDown, a or Control+A are.'}`, { cause: error })
    throw error
  }
}
