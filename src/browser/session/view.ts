import type { LiveInput, LiveNews, LiveView, LiveViewer } from '../../domain/live-browser.ts'
import { isOpenAddress } from './rules.ts'
import { type Eyes, screencast } from './screencast.ts'
import type { Tabs } from './tabs.ts'

/** The viewers of a session. */
export interface Views {
  join(viewer: LiveViewer, access: 'view' | 'control'): LiveView
  readonly size: number
  readonly controlling: boolean
  close(): void
}

export interface ViewsOptions {
  readonly eyes: Eyes
  readonly tabs: Tabs
  /** Opens another page. */
  readonly open: () => Promise<unknown>
}

interface Seen {
  readonly url: string
  readonly title: string
}

interface Named extends Seen {
  readonly targetId: string
  readonly type: string
}

interface Entry {
  readonly id: number
  readonly url: string
}

const maxViewers = 20
const namesMs = 1_000
/** Unanswered inputs of a viewer: beyond the first number mouse movements are dropped, beyond the second everything. */
const manyWishes = 20
const tooManyWishes = 500

class Unmet extends Error {}

/** Shows a session to viewers, and does what those with control ask for. */
export function views({ eyes, tabs, open }: ViewsOptions): Views {
  const cast = screencast(eyes)
  const viewers = new Map<LiveViewer, boolean>()
  const seen = new Map<string, Seen>()
  let page: LiveNews & { readonly type: 'page' } = { type: 'page', url: '', loading: false, back: false, forward: false }
  let looking: string | null = null
  let timer: NodeJS.Timeout | undefined
  const rest = (): void => {
    clearInterval(timer)
    timer = undefined
  }
  const gone = (): undefined => undefined

  const tell = (news: LiveNews): void => {
    for (const viewer of viewers.keys()) viewer.tell(news)
  }
  const tabNews = (): LiveNews => {
    const active = tabs.current()?.id
    return { type: 'tabs', tabs: tabs.list().map(({ id }) => ({ id, url: seen.get(id)?.url ?? '', title: seen.get(id)?.title ?? '', active: id === active })).sort((a, b) => (a.id < b.id ? -1 : 1)) } // prettier-ignore
  }
  const dialogNews = (): LiveNews => {
    const { dialog } = tabs
    return { type: 'dialog', dialog: dialog === null ? null : { kind: dialog.kind, message: dialog.message, value: dialog.value } }
  }

  async function history(id: string): Promise<{ readonly currentIndex: number; readonly entries: readonly Entry[] }> {
    return (await eyes.ask('Page.getNavigationHistory', {}, id)) as { readonly currentIndex: number; readonly entries: readonly Entry[] } // the answer of the command
  }

  /** The browser does not announce changes of titles. */
  async function nameTabs(): Promise<void> {
    const { targetInfos } = (await eyes.ask('Target.getTargets', {})) as { readonly targetInfos: readonly Named[] } // the answer of the command
    for (const info of targetInfos) note(info)
    changed()
  }
  function note({ targetId, url, title, type }: Named): void {
    if (type === 'page') seen.set(targetId, { url, title: title.slice(0, 200) })
  }

  async function lookUp(id: string, loading: boolean): Promise<void> {
    if (!loading) nameTabs().catch(gone)
    const { currentIndex, entries } = await history(id)
    if (id !== looking) return
    page = { type: 'page', url: entries[currentIndex]?.url ?? '', loading, back: currentIndex > 0, forward: currentIndex < entries.length - 1 }
    tell(page)
  }

  function follow(): void {
    const id = viewers.size === 0 ? null : (tabs.current()?.id ?? null)
    if (id === looking) return
    looking = id
    cast.follow(id)
    if (id === null) return
    eyes.ask('Page.enable', {}, id).catch(gone)
    lookUp(id, false).catch(gone)
  }

  let news = { tabs: '', dialog: '' }
  function changed(): void {
    follow()
    const now = { tabs: JSON.stringify(tabNews()), dialog: JSON.stringify(dialogNews()) }
    if (now.tabs !== news.tabs) tell(tabNews())
    if (now.dialog !== news.dialog) tell(dialogNews())
    news = now
  }

  tabs.onChange(changed)
  eyes.onEvent((id, method, params) => {
    if (method === 'Target.targetInfoChanged' || method === 'Target.targetCreated') {
      note(params['targetInfo'] as Named) // the parameter of those events
      if (viewers.size > 0) changed()
    } else if (method === 'Target.targetDestroyed') seen.delete(String(params['targetId']))
    else if (id === looking && (method === 'Page.frameStartedLoading' || method === 'Page.frameStoppedLoading') && params['frameId'] === id) lookUp(id, method === 'Page.frameStartedLoading').catch(gone)
    else if (id === looking && (method === 'Page.navigatedWithinDocument' || method === 'Page.frameNavigated')) lookUp(id, page.loading).catch(gone)
  })
  eyes.ask('Target.setDiscoverTargets', { discover: true }).catch(gone)

  async function travel(by: -1 | 1): Promise<void> {
    const id = tabs.current()?.id
    if (id === undefined) return
    const { currentIndex, entries } = await history(id)
    const entry = entries[currentIndex + by]
    if (entry !== undefined && isOpenAddress(entry.url)) await eyes.ask('Page.navigateToHistoryEntry', { entryId: entry.id }, id)
  }

  async function navigate(url: string): Promise<void> {
    if (!isOpenAddress(url)) throw new Unmet('Only addresses of the web can be opened.')
    await tabs.page()
    const answer = (await eyes.ask('Page.navigate', { url }, tabs.current()?.id ?? '')) as { readonly errorText?: string } // the answer of the command
    if (answer.errorText !== undefined && answer.errorText !== 'net::ERR_ABORTED') throw new Unmet('The page could not be opened.')
  }

  async function act(input: LiveInput): Promise<unknown> {
    const id = tabs.current()?.id
    switch (input.type) {
      case 'navigate':
        return navigate(input.url)
      case 'back':
        return travel(-1)
      case 'forward':
        return travel(1)
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

  function handsOf(viewer: LiveViewer): (input: LiveInput) => void {
    let under = 0
    return (input) => {
      if (under >= tooManyWishes || (under >= manyWishes && input.type === 'mouse' && input.event === 'move')) return
      under++
      act(input).then(gone, (error: unknown) => error instanceof Unmet && viewer.tell({ type: 'refused', reason: error.message })).finally(() => under--).catch(gone) // prettier-ignore
    }
  }

  return {
    join(viewer, access) {
      if (viewers.size >= maxViewers) throw new Error('The session has as many viewers as it may have.')
      viewers.set(viewer, access === 'control')
      timer ??= setInterval(() => void nameTabs().catch(gone), namesMs).unref()
      nameTabs().catch(gone)
      const hands = access === 'control' ? handsOf(viewer) : (): void => undefined
      follow()
      viewer.tell(tabNews())
      viewer.tell(page)
      viewer.tell(dialogNews())
      const leave = cast.join((frame) => viewer.frame(frame))
      return {
        input: (input) => void (viewers.has(viewer) && hands(input)),
        close() {
          leave()
          viewers.delete(viewer)
          if (viewers.size === 0) rest()
          follow()
        },
      }
    },
    get size() {
      return viewers.size
    },
    get controlling() {
      return [...viewers.values()].includes(true)
    },
    close() {
      rest()
      viewers.clear()
      cast.follow(null)
    },
  }
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
