import { sleep } from '../../lib/sleep.ts'
import { complaint, until } from './elements.ts'
import { inGround } from './frames.ts'
import { isVisible, matches } from './scripts.ts'
import { ActionError, type ActionHandler, NoTimeError, type Stage } from './stage.ts'

const usedUp = 'The time that actions may wait is used up (60 seconds together).'

const look = String.raw`(selector) => {
  try {
    const found = (${matches})(selector)
    return found.length === 0 ? 'none' : found.some(${isVisible}) ? 'ready' : 'hidden'
  } catch {
    return 'invalid'
  }
}`

/** Waits for a time, or until an element is visible. */
export const wait: ActionHandler<'wait'> = async ({ milliseconds, selector }, stage) => {
  const began = performance.now()
  try {
    await (selector === undefined ? pause(milliseconds ?? 0, stage) : appear(selector, stage))
  } finally {
    stage.budget.waitMs -= performance.now() - began
  }
}

async function pause(ms: number, { left, signal, budget }: Stage): Promise<void> {
  // Waiting for selectors is deducted first: the plan counts a second for each.
  if (budget.waitMs <= 0) throw new ActionError(usedUp)
  const leftMs = left()
  const room = Math.min(leftMs, budget.waitMs)
  await sleep(Math.max(0, Math.min(ms, room)), signal)
  if (ms <= room + 1) return
  throw leftMs < budget.waitMs ? new NoTimeError('The request has no time left to wait.') : new ActionError(usedUp)
}

async function appear(selector: string, stage: Stage): Promise<void> {
  const limitMs = Math.max(1, stage.budget.waitMs)
  const began = performance.now()
  type State = 'none' | 'ready' | 'hidden' | 'invalid'
  const seen = (): Promise<State> => inGround(stage, selector, (ground) => ground.ask<State>(`(${look})(${JSON.stringify(ground.selector)})`))
  const state = await until(stage, seen, { isEnough: (one) => one === 'ready' || one === 'invalid', limitMs })
  if (state === 'ready') return
  const waited = state === 'invalid' ? '' : ` Waited for ${Math.round((performance.now() - began) / 100) / 10} seconds.`
  throw new ActionError(`${complaint(selector, { state: state ?? 'none' })}${waited}`)
}
