import { createContext, runInContext } from 'node:vm'
import { expect, it } from 'vitest'
import { viewScript } from './script.ts'

interface Seen {
  hidden: boolean
  readonly confirmed: string[]
  show(): void
}

/** The script of a view in a page that the test plays; pictures take a turn of the event loop to be drawn. */
function view(): { readonly page: Seen; readonly run: (script: string) => void } {
  const heard = new Map<string, () => void>()
  const page: Seen = { hidden: false, confirmed: [], show: () => heard.get('visibilitychange')?.() }
  const element = { getContext: () => ({}), dataset: { control: 'false' } }
  const document = {
    body: element,
    get hidden() {
      return page.hidden
    },
    getElementById: () => element,
    addEventListener: (name: string, listener: () => void) => heard.set(name, listener),
  }
  class Nothing {
    static readonly OPEN = 1
    observe(): void {}
  }
  const socket = { readyState: Nothing.OPEN, send: (text: string) => void page.confirmed.push(text) }
  const context = createContext({ document, socket: undefined, URL, ResizeObserver: Nothing, WebSocket: Nothing, navigator: { platform: 'Linux' }, location: { href: 'http://view.example/' }, from: socket, drawn: () => new Promise((resolve) => setImmediate(resolve)) })
  runInContext(viewScript, context)
  runInContext('frames.show = drawn', context)
  return { page, run: (script) => void runInContext(script, context) }
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
}

it('a picture that came before the view was hidden is drawn and confirmed when it is shown again', async () => {
  const { page, run } = view()
  run('for (const data of [1, 2, 3]) frames.push(data, from)')
  page.hidden = true
  await turns()
  expect(page.confirmed).toEqual(['ok'])
  page.hidden = false
  page.show()
  await turns()
  expect(page.confirmed).toEqual(['ok', 'ok', 'ok'])
})
