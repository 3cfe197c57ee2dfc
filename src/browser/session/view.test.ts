import { expect, it, onTestFinished } from 'vitest'
import type { LiveNews } from '../../domain/sessions/live-browser.ts'
import type { Eyes } from './screencast.ts'
import { type Views, views } from './view.ts'
import type { ViewPorts } from './viewer-input.ts'

type Params = Readonly<Record<string, unknown>>

/** Views of a session with one tab, whose browser the test plays; the addresses of its history have that many letters. */
function watched({ letters = 10 }: { readonly letters?: number } = {}) {
  const asked: string[] = []
  const waiting: (() => void)[] = []
  let hear: (id: string, method: string, params: Params) => void = () => undefined
  const entries = ['a', 'b'].map((url, id) => ({ id, url: url.repeat(letters) }))
  const answers: Readonly<Record<string, object>> = { 'Target.getTargets': { targetInfos: [] }, 'Page.getNavigationHistory': { currentIndex: 1, entries } }
  const eyes: Eyes = {
    async ask(method) {
      asked.push(method)
      if (method === 'Page.getNavigationHistory') await new Promise<void>((resolve) => waiting.push(resolve))
      return answers[method] ?? {}
    },
    onEvent: (listener) => void (hear = listener),
    close: () => undefined,
  }
  const tabs = { current: () => ({ id: 't' }), list: () => [{ id: 't' }], dialog: null, onChange: () => undefined } as unknown as ViewPorts['tabs'] // what is used of them
  const all: Views = views({ eyes, tabs, open: async () => undefined })
  onTestFinished(() => all.close())
  const told: LiveNews[] = []
  let ended = 0
  const pages = (): readonly LiveNews[] => told.filter(({ type }) => type === 'page')
  const join = (): ReturnType<Views['join']> => all.join({ frame: async () => undefined, tell: (news) => void told.push(news), ended: () => void ended++ }, 'view')
  return {
    all,
    join,
    pages,
    ended: () => ended,
    looks: () => asked.filter((method) => method === 'Page.getNavigationHistory').length,
    happens: (method: string, params: Params = {}) => hear('t', method, params),
    async answer(): Promise<void> {
      for (const go of waiting.splice(0)) go()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

it('a page that changes its address all the time is looked up one at a time, and once more for the last change', async () => {
  const { join, looks, happens, answer, pages } = watched()
  join()
  for (let changes = 0; changes < 50; changes++) happens('Page.navigatedWithinDocument')
  expect(looks()).toBe(1)
  await answer()
  expect(looks()).toBe(2)
  await answer()
  expect(looks()).toBe(2)
  expect(pages().at(-1)).toEqual({ type: 'page', url: 'b'.repeat(10), loading: false, back: true, forward: false })
})

it('a page with a history of megabytes is not asked for it again', async () => {
  const { join, looks, happens, answer, pages } = watched({ letters: 1024 ** 2 })
  join()
  await answer()
  happens('Target.targetInfoChanged', { targetInfo: { targetId: 't', type: 'page', url: 'https://site.example/', title: '' } })
  for (let changes = 0; changes < 10; changes++) happens('Page.navigatedWithinDocument')
  await answer()
  expect(looks()).toBe(1)
  expect(pages().at(-1)).toEqual({ type: 'page', url: 'https://site.example/', loading: false, back: true, forward: false })
})

it('a page that begins to load while it is looked up is told of as loading, until it is there', async () => {
  const { join, happens, answer, pages } = watched()
  join()
  happens('Page.frameStartedLoading', { frameId: 't' })
  happens('Page.navigatedWithinDocument')
  await answer()
  await answer()
  expect(pages().at(-1)).toMatchObject({ loading: true })
  happens('Page.frameStoppedLoading', { frameId: 't' })
  await answer()
  expect(pages().at(-1)).toMatchObject({ loading: false })
})

it('each viewer is told that the session ends', () => {
  const { all, join, ended } = watched()
  join()
  join().close()
  all.close()
  expect(ended()).toBe(1)
})

it('a viewer too many is told so', () => {
  const { join } = watched()
  for (let viewers = 0; viewers < 20; viewers++) join()
  expect(join).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }))
})
