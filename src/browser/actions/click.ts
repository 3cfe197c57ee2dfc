import { openClosedRoots } from '../page/closed-roots.ts'
import { chosenElements, clickAt, clickOn, complaint, seek } from './elements.ts'
import { inGround } from './frames.ts'
import { matches } from './scripts.ts'
import { ActionError, type ActionHandler, calm, inTime, type Stage } from './stage.ts'

/** Clicks on the first visible element that matches, or, with `all`, on every element that matches, if any, until another page comes. */
export const click: ActionHandler<'click'> = async ({ selector, all }, stage) => {
  if (all) await clickAll(stage, selector)
  else await inTime(stage, clickOn(stage, selector), clickMs)
  await calm(stage)
}

/** A page that has not taken a click by then never will. */
const clickMs = 12_000
/** Most elements that are clicked: each takes a moment, and no page has more that matter. */
const maxClicks = 200
const openingMs = 1_500

async function clickAll(stage: Stage, selector: string): Promise<void> {
  await openClosedRoots(stage.tab, openingMs)
  const found = await inGround(stage, selector, (ground) => ground.ask<number | 'invalid'>(`(() => { try { return (${chosenElements} = (${matches})(${JSON.stringify(ground.selector)})).length } catch { return 'invalid' } })()`))
  const count = found === 'none' ? 0 : found
  if (count === 'invalid') throw new ActionError(complaint(selector, { state: 'invalid' }))
  if (count > maxClicks) throw new ActionError(`${count} elements match ${JSON.stringify(selector)}; ${maxClicks} are clicked at most.`)
  for (let index = 0; index < count; index++) {
    const seen = await inTime(stage, seek(stage, selector, index))
    // Earlier clicks may have changed the rest: elements that have gone or are hidden need no click.
    if (seen.state === 'ready') await inTime(stage, clickAt(stage, seen))
    // Another page has come: nothing on it is among the elements that matched.
    else if (seen.state === 'left') return
    else if (seen.state === 'covered' || seen.state === 'moving') throw new ActionError(complaint(selector, seen))
  }
}
