import { afterEach, describe, expect, it, vi } from 'vitest'
import { StoreAway } from '../domain/errors.ts'
import type { Store } from '../domain/store.ts'
import { ending } from './stop.ts'

afterEach(() => void vi.useRealTimers())

type End = () => Promise<void>
const never: End = () => new Promise(() => undefined)
const away: End = () => Promise.reject(new StoreAway(new Error('away')))
const broken: End = () => Promise.reject(new Error('broken'))

/** A service whose parts say when they end; `odd` replaces how some of them do. */
function service(odd: Readonly<Record<string, End>> = {}, name: Store['name'] = 'sqlite') {
  const ended: string[] = []
  const part = (what: string): End => async () => {
    ended.push(what)
    await odd[what]?.()
  }
  const { unwritten, stop, abandon } = ending({
    store: { name, close: part('store') } as unknown as Store, // what is used
    works: [{ end: (graceMs) => part(`requests ${graceMs}`)(), writes: 'requests' }, { end: part('pages'), writes: 'pages of jobs' }],
    keeper: { stop: part('keys') },
    rest: [part('net'), part('threads')],
    pending: new Set([Promise.resolve().then(odd['background'])]),
    place: { close: () => void ended.push('place') },
  })
  return { ended, unwritten, stop, abandon }
}

const inOrder = ['requests 500', 'pages', 'keys', 'net', 'threads', 'place', 'store']

describe('a stop', () => {
  it('ends what others wait for first, and the store last', async () => {
    const { ended, unwritten, stop } = service()
    await stop(500)
    expect([ended, [...unwritten]]).toEqual([inOrder, []])
  })

  it('waits for the parts before it ends those that they use', async () => {
    let finish = (): void => undefined
    const { ended, stop } = service({ pages: () => new Promise((resolve) => (finish = resolve)) })
    const stopping = stop(500)
    await new Promise(setImmediate)
    expect(ended).toEqual(['requests 500', 'pages'])
    finish()
    await stopping
    expect(ended).toEqual(inOrder)
  })

  it('ends everything although parts fail, and reports the first failure', async () => {
    const { ended, stop } = service({ pages: broken, net: () => Promise.reject(new Error('also broken')) })
    await expect(stop(500)).rejects.toThrow(/^broken$/)
    expect(ended).toEqual(inOrder)
  })

  it('says what could not be written while the store is away, which is no failure', async () => {
    const { ended, unwritten, stop } = service({ pages: away, background: away, store: away })
    await stop(500)
    expect([ended, [...unwritten]]).toEqual([inOrder, ['pages of jobs', 'work in the background', 'uses of cached pages']])
  })

  it('does not wait for a frozen database longer than the parts may take', async () => {
    vi.useFakeTimers()
    const { ended, unwritten, stop } = service({ pages: never, keys: never, background: never, store: never }, 'postgres')
    const stopping = stop(500)
    await vi.advanceTimersByTimeAsync(2_499)
    expect(ended).not.toContain('keys')
    await vi.advanceTimersByTimeAsync(300 + 500 + 1_000 + 1)
    await stopping
    expect([ended, [...unwritten]]).toEqual([inOrder, ['pages of jobs', 'uses of keys', 'work in the background', 'uses of cached pages']])
  })

  it('waits for an embedded store as long as it takes: nobody else would write what it has', async () => {
    vi.useFakeTimers()
    let written = (): void => undefined
    const { unwritten, stop } = service({ store: () => new Promise((resolve) => (written = resolve)) })
    const over = vi.fn()
    const stopping = stop(500).then(over)
    await vi.advanceTimersByTimeAsync(600_000)
    expect(over).not.toHaveBeenCalled()
    written()
    await stopping
    expect([...unwritten]).toEqual([])
  })
})

it('a failed start closes all that was opened, what failed first, and reports no failure of its own', async () => {
  const { ended, abandon } = service({ net: broken })
  await abandon(async () => void ended.push('started'))
  expect(ended).toEqual(['started', 'net', 'threads', 'place', 'store'])
})
