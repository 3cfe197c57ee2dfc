import { ServiceError } from '../../domain/errors.ts'
import type { LiveNews, LiveView, LiveViewer } from '../../domain/sessions/live-browser.ts'
import { type Eyes, screencast } from './screencast.ts'
import { historyOf, inputHandler, type ViewPorts } from './viewer-input.ts'

/** The viewers of a session. */
export interface Views {
  join(viewer: LiveViewer, access: 'view' | 'control'): LiveView
  readonly size: number
  readonly controlling: boolean
  close(): void
}

interface Seen {
  readonly url: string
  readonly title: string
}

interface Named extends Seen {
  readonly targetId: string
  readonly type: string
}

/** Characters of the addresses in a tab's history, which pages make as long as they like: a longer one is read once for each document. */
const longestHistory = 1024 ** 2
/** Characters of an address in the list of tabs: pages make them as long as they like. */
const longestAddress = 2_000
const maxViewers = 20
const namesMs = 1_000
/** The page may go at any moment. */
const gone = (): undefined => undefined

/** Where a tab is in its history. */
type Spot = Pick<LiveNews & { readonly type: 'page' }, 'url' | 'back' | 'forward'>

/** Finds out where tabs are in their histories: at once, and for all that is asked meanwhile once more, since a page can change its address all the time. */
function histories(eyes: Eyes, seen: ReadonlyMap<string, Seen>, tell: (id: string, spot: Spot) => void) {
  const heavy = new Map<string, Spot>()
  let [next, busy]: [string | null, boolean] = [null, false]

  async function spotOf(id: string): Promise<Spot> {
    const before = heavy.get(id)
    if (before !== undefined) return { ...before, url: seen.get(id)?.url ?? before.url }
    const { currentIndex, entries } = await historyOf(id, eyes)
    const spot = { url: entries[currentIndex]?.url ?? '', back: currentIndex > 0, forward: currentIndex < entries.length - 1 }
    if (entries.reduce((sum, { url }) => sum + url.length, 0) > longestHistory) heavy.set(id, spot)
    return spot
  }
  return {
    async look(id: string): Promise<void> {
      next = id
      if (busy) return
      busy = true
      for (let now: string | null = id; now !== null; now = next) {
        next = null
        const spot = await spotOf(now).catch(() => null)
        if (spot !== null) tell(now, spot)
      }
      busy = false
    },
    delete: (id: string) => heavy.delete(id),
  }
}

/** Shows a session to viewers, and does what those with control ask for. */
export function views({ eyes, tabs, open }: ViewPorts): Views {
  const cast = screencast(eyes)
  const viewers = new Map<LiveViewer, boolean>()
  const seen = new Map<string, Seen>()
  let page: LiveNews & { readonly type: 'page' } = { type: 'page', url: '', loading: false, back: false, forward: false }
  let [looking, loading]: [string | null, boolean] = [null, false]
  let timer: NodeJS.Timeout | undefined
  const rest = (): void => {
    clearInterval(timer)
    timer = undefined
  }

  const tell = (news: LiveNews): void => viewers.forEach((_, viewer) => viewer.tell(news))
  const tabNews = (): LiveNews => {
    const active = tabs.current()?.id
    return { type: 'tabs', tabs: tabs.list().map(({ id }) => ({ id, url: seen.get(id)?.url.slice(0, longestAddress) ?? '', title: seen.get(id)?.title ?? '', active: id === active })).sort((a, b) => (a.id < b.id ? -1 : 1)) }
  }
  const dialogNews = (): LiveNews => {
    const { dialog } = tabs
    return { type: 'dialog', dialog: dialog === null ? null : { kind: dialog.kind, message: dialog.message, value: dialog.value } }
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

  const spots = histories(eyes, seen, (id, spot) => {
    if (id !== looking) return
    page = { type: 'page', loading, ...spot }
    tell(page)
    if (!loading) nameTabs().catch(gone)
  })
  const loads = (id: string, yes: boolean): void => {
    loading = yes
    void spots.look(id)
  }

  function follow(): void {
    const id = viewers.size === 0 ? null : (tabs.current()?.id ?? null)
    if (id === looking) return
    looking = id
    cast.follow(id)
    if (id === null) return
    eyes.ask('Page.enable', {}, id).catch(gone)
    loads(id, false)
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
    } else if (method === 'Target.targetDestroyed') [seen, spots].forEach((known) => known.delete(String(params['targetId'])))
    else if (id === looking && (method === 'Page.frameStartedLoading' || method === 'Page.frameStoppedLoading') && params['frameId'] === id) loads(id, method === 'Page.frameStartedLoading')
    else if (id === looking && (method === 'Page.navigatedWithinDocument' || method === 'Page.frameNavigated')) {
      // Another document comes less often than a page can change its address.
      if ((params['frame'] as { readonly id: string } | undefined)?.id === id) spots.delete(id) // the parameter of the second event
      void spots.look(id)
    }
  })
  eyes.ask('Target.setDiscoverTargets', { discover: true }).catch(gone)

  return {
    join(viewer, access) {
      if (viewers.size >= maxViewers) throw new ServiceError('RATE_LIMITED', 'The session has as many viewers as it may have.')
      viewers.set(viewer, access === 'control')
      timer ??= setInterval(() => void nameTabs().catch(gone), namesMs).unref()
      nameTabs().catch(gone)
      const act = access === 'control' ? inputHandler(viewer, { eyes, tabs, open }) : (): void => undefined
      follow()
      viewer.tell(tabNews())
      viewer.tell(page)
      viewer.tell(dialogNews())
      const leave = cast.join((frame) => viewer.frame(frame))
      return {
        input: (input) => void (viewers.has(viewer) && act(input)),
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
      for (const viewer of viewers.keys()) viewer.ended()
      viewers.clear()
      cast.follow(null)
    },
  }
}
