import type { LiveInput, LiveViewer } from '../../domain/sessions/live-browser.ts'
import { isOpenAddress } from './rules.ts'
import type { Eyes } from './screencast.ts'
import type { Tabs } from './tabs.ts'

export interface ViewPorts {
  readonly eyes: Eyes
  readonly tabs: Tabs
  /** Opens another page. */
  readonly open: () => Promise<unknown>
}

interface Entry {
  readonly id: number
  readonly url: string
}

/** Unanswered inputs of a viewer: beyond the first number mouse movements are dropped, beyond the second everything. */
const manyInputs = 20
const tooManyInputs = 500

/** An input that was refused; the viewer is told the message. */
class Refused extends Error {}

/** The pages that a tab can go back and forward to. */
export async function historyOf(tab: string, eyes: Eyes): Promise<{ readonly currentIndex: number; readonly entries: readonly Entry[] }> {
  return (await eyes.ask('Page.getNavigationHistory', {}, tab)) as { readonly currentIndex: number; readonly entries: readonly Entry[] } // the answer of the command
}

/** Carries out a viewer's input in the current tab; tells the viewer what was refused, and nothing of what failed. */
export function inputHandler(viewer: LiveViewer, ports: ViewPorts): (input: LiveInput) => void {
  let unanswered = 0
  return (input) => {
    if (unanswered >= tooManyInputs || (unanswered >= manyInputs && input.type === 'mouse' && input.event === 'move')) return
    unanswered++
    act(input, ports)
      .catch((error: unknown) => error instanceof Refused && viewer.tell({ type: 'refused', reason: error.message }))
      .finally(() => unanswered--)
      .catch(() => undefined)
  }
}

async function act(input: LiveInput, { eyes, tabs, open }: ViewPorts): Promise<unknown> {
  const id = tabs.current()?.id
  switch (input.type) {
    case 'navigate':
      return navigate(input.url, { eyes, tabs })
    case 'back':
      return travel(-1, { eyes, tabs })
    case 'forward':
      return travel(1, { eyes, tabs })
    case 'new-tab':
      return open()
    case 'tab':
      tabs.use(input.id)
      return tabs.current()?.id === input.id ? eyes.ask('Page.bringToFront', {}, input.id) : null
    case 'close-tab':
      return tabs.list().some((tab) => tab.id === input.id) ? eyes.ask('Target.closeTarget', { targetId: input.id }) : null
    case 'dialog':
      return tabs.dialog?.answer(input.accept, input.value)
    case 'reload':
      return id === undefined ? null : eyes.ask('Page.reload', {}, id)
    case 'stop':
      return id === undefined ? null : eyes.ask('Page.stopLoading', {}, id)
    default:
      return id === undefined ? null : Promise.all(commandsFor(input).map(([method, params]) => eyes.ask(method, params, id)))
  }
}

async function travel(by: -1 | 1, { eyes, tabs }: Pick<ViewPorts, 'eyes' | 'tabs'>): Promise<void> {
  const id = tabs.current()?.id
  if (id === undefined) return
  const { currentIndex, entries } = await historyOf(id, eyes)
  const entry = entries[currentIndex + by]
  if (entry !== undefined && isOpenAddress(entry.url)) await eyes.ask('Page.navigateToHistoryEntry', { entryId: entry.id }, id)
}

async function navigate(url: string, { eyes, tabs }: Pick<ViewPorts, 'eyes' | 'tabs'>): Promise<void> {
  if (!isOpenAddress(url)) throw new Refused('Only addresses of the web can be opened.')
  await tabs.page()
  const answer = (await eyes.ask('Page.navigate', { url }, tabs.current()?.id ?? '')) as { readonly errorText?: string } // the answer of the command
  if (answer.errorText !== undefined && answer.errorText !== 'net::ERR_ABORTED') throw new Refused('The page could not be opened.')
}

const types = { move: 'mouseMoved', down: 'mousePressed', up: 'mouseReleased' } as const

/** The protocol commands for a movement, a key or a text. */
function commandsFor(input: Extract<LiveInput, { readonly type: 'mouse' | 'wheel' | 'key' | 'text' }>): readonly (readonly [string, object])[] {
  if (input.type === 'text') return [['Input.insertText', { text: input.text }]]
  if (input.type === 'wheel') return [['Input.dispatchMouseEvent', { type: 'mouseWheel', x: input.x, y: input.y, deltaX: input.dx, deltaY: input.dy, modifiers: input.modifiers }]]
  if (input.type === 'mouse') return [['Input.dispatchMouseEvent', { type: types[input.event], x: input.x, y: input.y, button: input.button, buttons: input.buttons, clickCount: input.clicks, modifiers: input.modifiers }]]
  const { event, key, code, keyCode, text, location, repeat, modifiers } = input
  const type = event === 'up' ? 'keyUp' : text === '' ? 'rawKeyDown' : 'keyDown'
  return [['Input.dispatchKeyEvent', { type, key, code, windowsVirtualKeyCode: keyCode, nativeVirtualKeyCode: keyCode, text: event === 'up' ? '' : text, unmodifiedText: event === 'up' ? '' : text, location, isKeypad: location === 3, autoRepeat: repeat, modifiers }]]
}
