import type { Locator, Page } from 'playwright-core'
import type { AgentHands, AgentTarget } from '../../domain/sessions/agent.ts'
import type { ActionFailure } from '../../domain/pages/actions.ts'
import type { Call } from '../../domain/call.ts'
import type { Clock } from '../../domain/clock.ts'
import { ServiceError } from '../../domain/errors.ts'
import { untilAborted } from '../../lib/deadline.ts'
import { throughFrames } from '../../lib/frame-path.ts'
import { withTimeout } from '../../lib/with-timeout.ts'
import { performActions } from '../actions/perform.ts'
import { matches, matchesBy } from '../actions/scripts.ts'
import { NoTimeError } from '../actions/stage.ts'
import { openClosedRoots } from '../page/closed-roots.ts'
import type { Tab } from '../page/tab.ts'
import { showClosedRoots } from './shown-roots.ts'
import { tabFor } from './tab-for.ts'

const lookMs = 10_000
const findMs = 5_000
const rootsMs = 1_500
/** How long to wait for a window that an action opens. */
const windowMs = 5_000
const waitMs = 60_000
const maxSnapshot = 1024 * 1024
const longestSelector = 1_000
const mostSelectors = 8
/** Agents do not use the results of actions. */
const maxBytes = 1024 ** 2

/** What the page says about an element; untrusted, because the page can say anything. */
const describe = String.raw`(element) => {
  // Scripts of the page reach a closed root from what is in it.
  const closed = new Map()
  for (let root = element.getRootNode(); root.host; root = root.host.getRootNode()) closed.set(root.host, root)
  const matches = ${matchesBy('((one) => one.shadowRoot ?? closed.get(one) ?? null)')}
  const only = (selector) => {
    try {
      const found = matches(selector)
      return found.length === 1 && found[0] === element
    } catch {
      return false
    }
  }
  const name = element.localName
  const quoted = (value) => '"' + value.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\a ') + '"'
  const marks = ['data-testid', 'data-test', 'name', 'aria-label', 'placeholder', 'title', 'alt', 'href', 'value', 'for']
  // A form answers with its field of that name.
  const idOf = (one) => Element.prototype.getAttribute.call(one, 'id')
  const candidates = () => [
    ...(idOf(element) ? ['#' + CSS.escape(idOf(element))] : []),
    ...marks.flatMap((mark) => (element.getAttribute(mark) ? [name + '[' + mark + '=' + quoted(element.getAttribute(mark)) + ']'] : [])),
  ]
  const place = (one) => {
    const around = one.parentNode
    const same = around === null ? [one] : Array.from(Reflect.get(around instanceof Element ? Element.prototype : around, 'children', around)).filter((other) => other.localName === one.localName)
    return CSS.escape(one.localName) + (same.length > 1 ? ':nth-of-type(' + (same.indexOf(one) + 1) + ')' : '')
  }
  const selectors = candidates().filter((one) => one.length <= 300 && only(one))
  for (let path = place(element), at = element; ; ) {
    if (only(path)) selectors.push(path)
    at = at.parentElement
    if (at === null || path.length > 900 || selectors.length >= ${mostSelectors}) break
    path = (idOf(at) ? '#' + CSS.escape(idOf(at)) : place(at)) + ' > ' + path
  }
  selectors.push(...[...element.classList].map((one) => name + '.' + CSS.escape(one)).filter(only))
  const field = name === 'textarea' || element.isContentEditable === true || (name === 'input' && !/^(?:button|checkbox|color|file|image|radio|range|reset|submit)$/.test(element.type))
  return { selectors, kind: name === 'select' ? (element.getRootNode() === document ? 'list' : 'far list') : field ? 'field' : 'other', filled: field && ((element.value ?? element.textContent) || '') !== '' }
}`

/** The driver sends the source text of a function to the page. */
const describing = Object.assign((_element: unknown): unknown => null, { toString: () => describe })

const documentThere = Object.assign((_owner: unknown): boolean => false, { toString: () => '(owner) => owner.contentDocument !== null' })

const gone: AgentTarget = { why: 'There is no such element on the page now.' }

const unclear: AgentTarget = { why: 'This element cannot be told from others.' }

type AgentElement = Extract<AgentTarget, { readonly selector: string }>

const kinds: readonly AgentElement['kind'][] = ['list', 'far list', 'field']

interface Described {
  /** What matches it alone of all that scripts of the page can reach, best first. */
  readonly selectors: readonly [string, ...string[]]
  readonly kind: AgentElement['kind']
  readonly filled: boolean
}

/** Validates what a page said about an element; null when it is not in the expected form. */
function described(said: unknown): Described | null {
  const [selectors, kind, filled] = ['selectors', 'kind', 'filled'].map((key): unknown => Reflect.get(Object(said), key))
  const [first, ...others] = Array.isArray(selectors) ? selectors.slice(0, mostSelectors).filter((one): one is string => typeof one === 'string') : []
  return first === undefined ? null : { selectors: [first, ...others], kind: kinds.find((one) => one === kind) ?? 'other', filled: filled === true }
}

/**
 * The selectors of the frames around an element, outermost first; null when one is ambiguous. `near`: scripts of the page
 * can reach it.
 */
async function framesAround(element: Locator): Promise<{ readonly frames: readonly string[]; readonly near: boolean } | null> {
  const handle = await element.elementHandle({ timeout: findMs })
  const frames: string[] = []
  let near = true
  for (let frame = await handle?.ownerFrame(); frame?.parentFrame(); frame = frame.parentFrame()) {
    const owner = await frame.frameElement()
    const one = described(await owner.evaluate(describing))
    near &&= await owner.evaluate(documentThere)
    await owner.dispose()
    if (one === null) return null
    frames.unshift(one.selectors[0])
  }
  await handle?.dispose()
  return { frames, near }
}

/** The first of the selectors that matches one element only, closed shadow roots included; actions look there, too. */
async function alone(page: Page, selectors: readonly string[]): Promise<string | undefined> {
  const tab = await tabFor(page)
  await openClosedRoots(tab, findMs)
  return tab.world.evaluate<string | undefined>(`${JSON.stringify(selectors)}.find((one) => (${matches})(one).length === 1)`, findMs)
}

async function found(page: Page, ref: string): Promise<AgentTarget> {
  const element = page.locator(`aria-ref=${ref}`)
  if ((await element.count()) === 0) return gone
  const said = described(await element.evaluate(describing, undefined, { timeout: findMs }))
  if (said === null) return unclear
  const around = ref.startsWith('f') ? await framesAround(element) : { frames: [], near: true }
  const only = ref.startsWith('f') ? said.selectors[0] : await alone(page, said.selectors)
  if (around === null || only === undefined) return unclear
  const selector = throughFrames({ frames: around.frames, selector: only })
  return selector.length > longestSelector ? unclear : { selector, filled: said.filled, kind: said.kind === 'list' && !around.near ? 'far list' : said.kind }
}

/** Waits at most `ms`; null after that, and when the page went away. */
const inTime = <T>(work: Promise<T>, ms: number, { signal }: Call): Promise<T | null> => withTimeout(untilAborted(work.catch(() => null), signal), ms, () => null)

/** Does work in a page; a window that it opens exists afterwards. */
async function withWindows<T>({ page, cdp }: Tab, work: () => Promise<T>, call: Call): Promise<T> {
  let opened = false
  const opening = (): void => void (opened = true)
  let came: (window: Page) => void = () => undefined
  const window = new Promise<Page>((resolve) => (came = resolve))
  cdp.on('Page.windowOpen', opening)
  page.on('popup', came)
  try {
    const done = await work()
    if (opened) await inTime(window.then((one) => one.waitForLoadState('domcontentloaded')), windowMs, call)
    return done
  } finally {
    cdp.off('Page.windowOpen', opening)
    page.off('popup', came)
  }
}

/** The hands of agents in the driver's pages: an accessibility tree to look at, and the actions of scrapes. */
export function agentHands(clock: Clock): AgentHands<Page> {
  return async (page, call) => {
    const left = (): number => call.deadline - clock.now()
    const limit = (ms: number): number => Math.max(500, Math.min(ms, left()))
    return {
      async look() {
        await showClosedRoots(page, limit(rootsMs))
        const timeout = limit(lookMs)
        const [text, title] = await Promise.all([inTime(page.ariaSnapshot({ mode: 'ai', timeout }), timeout, call), inTime(page.title(), timeout, call)])
        const tree = text ?? '(The page is too busy to be looked at, or has just gone elsewhere.)'
        return { url: page.url(), title: title ?? '', text: tree.slice(0, maxSnapshot), cut: tree.length > maxSnapshot }
      },
      find: async (ref) => (await inTime(found(page, ref), limit(findMs), call)) ?? gone,
      async act(action) {
        try {
          const tab = await tabFor(page)
          await withWindows(tab, () => performActions(tab, [action], { left, waitMs, maxBytes }, call), call)
          return null
        } catch (error) {
          call.signal.throwIfAborted()
          if (error instanceof ServiceError && error.cause instanceof NoTimeError) return error.cause.message
          if (error instanceof ServiceError && error.code === 'SCRAPE_ACTION_ERROR') return (error.details as ActionFailure).message // as `performActions` documents
          if (page.isClosed()) return 'The page was closed.'
          throw error
        }
      },
    }
  }
}
