import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type HostLater, hosts, type HostPage, type HostTurn } from './hosts.ts'

const open = { maxInFlight: 100, delay: 0 }
const paused = { maxInFlight: 100, delay: 500 }
const answered = { kind: 'answered', startedAt: 0, status: 200, holdMs: 0, ms: 5, lag: 0, busy: 0 } as const
const at = (host: string, scheme = 'https', team = 't'): HostPage => ({ team, host, url: `${scheme}://${host}/` })
const signal = (): AbortSignal => new AbortController().signal

const turn = (given: HostTurn | HostLater | undefined): HostTurn => {
  if (given === undefined || 'inMs' in given) throw new Error('no turn')
  return given
}

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => void vi.useRealTimers())

describe('a host', () => {
  it('gets eight requests at first, and the others in order of arrival', async () => {
    const lanes = hosts(Date.now)
    const order: number[] = []
    const entering = Array.from({ length: 10 }, (_, i) => lanes.enter(at('a'), open, signal()).then((given) => (order.push(i), given)))
    await vi.advanceTimersByTimeAsync(0)
    expect([order, lanes.busy()]).toEqual([[0, 1, 2, 3, 4, 5, 6, 7], []])
    turn(await entering[3]).end(answered)
    await vi.advanceTimersByTimeAsync(0)
    expect(order.slice(8)).toEqual([8])
  })

  it('lets teams take turns, so that the crowd of one does not keep the other waiting', async () => {
    const lanes = hosts(Date.now)
    const order: string[] = []
    const enter = (team: string) => lanes.enter(at('a', 'https', team), open, signal()).then((given) => (order.push(team), given))
    const entering = Array.from({ length: 20 }, () => enter('crowd'))
    for (let i = 0; i < 2; i++) void enter('small')
    await vi.advanceTimersByTimeAsync(0)
    expect([order.slice(7), lanes.busy(), lanes.crowded()]).toEqual([['crowd', 'small'], [], new Map([['crowd', ['a']]])])
    for (const given of entering.slice(0, 3)) turn(await given).end({ kind: 'unused' })
    await vi.advanceTimersByTimeAsync(0)
    expect(order.slice(9)).toEqual(['crowd', 'small'])
  })

  it('serves a team that has nothing under way beside pages of others that hang, unless it refuses', async () => {
    const lanes = hosts(Date.now)
    const enter = (team: string) => lanes.enter(at('a', 'https', team), open, signal())
    const hanging = Array.from({ length: 20 }, () => enter('crowd'))
    const begun = vi.fn<(given: HostTurn | HostLater) => void>()
    const [first, second] = Array.from({ length: 3 }, () => enter('small').then((given) => (begun(given), given)))
    for (const [count, given] of [[1, first], [2, second]] as const) {
      await vi.advanceTimersByTimeAsync(0)
      expect(begun).toHaveBeenCalledTimes(count)
      turn(await given).end(answered)
    }
    await vi.advanceTimersByTimeAsync(0)
    expect(begun).toHaveBeenCalledTimes(3)
    turn(await hanging[0]).end({ ...answered, startedAt: Date.now(), status: 429 })
    void enter('third').then(begun)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(begun).toHaveBeenCalledTimes(3)
  })

  it('sends pages back once many wait and none has begun for a second, but never the only one of a team', async () => {
    const lanes = hosts(Date.now)
    const enter = (team: string) => lanes.enter(at('a', 'https', team), open, signal())
    const [first, second, ...others] = Array.from({ length: 8 + 34 }, () => enter('a'))
    const back = vi.fn<(given: HostTurn | HostLater) => void>()
    for (const given of others.slice(6)) void given.then(back)
    const one = enter('b')
    const alone = enter('b')
    expect(lanes.crowded()).toEqual(new Map([['a', ['a']], ['b', ['a']]]))
    await vi.advanceTimersByTimeAsync(900)
    for (const given of [first, second]) turn(await given).end(answered)
    await vi.advanceTimersByTimeAsync(1_000)
    // One has begun: nobody is sent back.
    expect(back.mock.calls.map(([given]) => 'inMs' in given)).toEqual([false])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(back.mock.calls.slice(1)).toEqual(Array.from({ length: 3 }, () => [{ inMs: 1_000 }]))
    for (const given of [...others.slice(0, 1), one]) turn(await given).end(answered)
    turn(await alone)
  })

  it('that requires pauses gets one page at a time, and assigns times to the others', async () => {
    const lanes = hosts(Date.now)
    const first = turn(await lanes.enter(at('a'), paused, signal()))
    const later = await Promise.all([1, 2, 3].map(() => lanes.enter(at('a'), paused, signal())))
    expect([later, lanes.busy()]).toEqual([[{ inMs: 500 }, { inMs: 1_000 }, { inMs: 1_500 }], ['a']])
    first.end(answered)
    expect(lanes.busy()).toEqual(['a'])
    await vi.advanceTimersByTimeAsync(500)
    expect(lanes.busy()).toEqual([])
    expect('end' in (await lanes.enter(at('a'), paused, signal()))).toBe(true)
  })

  it('assigns no times beyond a limit, however many wait', async () => {
    const lanes = hosts(Date.now)
    turn(await lanes.enter(at('a'), paused, signal()))
    const later = await Promise.all(Array.from({ length: 100 }, () => lanes.enter(at('a'), paused, signal())))
    expect(Math.max(...later.map((given) => ('inMs' in given ? given.inMs : 0)))).toBe(8_000)
  })

  it('that refuses for long turns away waiting and new pages', async () => {
    const lanes = hosts(Date.now)
    const entering = Array.from({ length: 12 }, () => lanes.enter(at('a'), open, signal()))
    turn(await entering[0]).end({ ...answered, status: 429, holdMs: 60_000 })
    expect([await entering[8], await entering[11], await lanes.enter(at('a'), open, signal()), lanes.busy()]).toEqual([{ inMs: 60_000 }, { inMs: 60_000 }, { inMs: 60_000 }, ['a']])
    expect('end' in (await lanes.enter(at('b'), open, signal()))).toBe(true)
  })

  it('that refuses briefly is waited for', async () => {
    const lanes = hosts(Date.now)
    turn(await lanes.enter(at('a'), open, signal())).end({ ...answered, status: 503, holdMs: 1_000 })
    const next = lanes.enter(at('a'), open, signal())
    await vi.advanceTimersByTimeAsync(1_000)
    expect('end' in (await next)).toBe(true)
  })

  it('has answered only by the schemes by which it did', async () => {
    const lanes = hosts(Date.now)
    const hasAnswered = async (scheme: string): Promise<boolean> => {
      const one = turn(await lanes.enter(at('a', scheme), open, signal()))
      one.end({ kind: 'unused' })
      return one.hasAnswered
    }
    expect([await hasAnswered('https'), await hasAnswered('http')]).toEqual([false, false])
    turn(await lanes.enter(at('a'), open, signal())).end({ kind: 'unanswered', startedAt: 0 })
    expect(await hasAnswered('https')).toBe(false)
    turn(await lanes.enter(at('a'), open, signal())).end(answered)
    expect([await hasAnswered('https'), await hasAnswered('http')]).toEqual([true, false])
  })

  it('is silent while it answers nobody', async () => {
    const lanes = hosts(Date.now)
    const [first, second] = [turn(await lanes.enter(at('a'), open, signal())), turn(await lanes.enter(at('a'), open, signal()))]
    await vi.advanceTimersByTimeAsync(10)
    expect(first.isSilent()).toBe(true)
    second.end(answered)
    await vi.advanceTimersByTimeAsync(10)
    expect(first.isSilent()).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(first.isSilent()).toBe(true)
  })

  it('tells whether any host has answered lately', async () => {
    const lanes = hosts(Date.now)
    const nobodyAnswers = async (): Promise<boolean> => turn(await lanes.enter(at('a'), open, signal())).nobodyAnswers()
    expect(await nobodyAnswers()).toBe(true)
    turn(await lanes.enter(at('b'), open, signal())).end(answered)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await nobodyAnswers()).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await nobodyAnswers()).toBe(true)
  })

  it('that cannot be reached is looked for after longer and longer pauses, until there is no hope left', async () => {
    const lanes = hosts(Date.now)
    turn(await lanes.enter(at('a'), open, signal())).end(answered)
    const waits: (number | null)[] = []
    for (let wait: number | null = 500; wait !== null && waits.length < 20; ) {
      await vi.advanceTimersByTimeAsync(wait)
      wait = turn(await lanes.enter(at('a'), open, signal())).away('away')
      waits.push(wait)
    }
    // What has just answered is still there.
    expect(waits).toEqual([1_000, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 30_000, 30_000, null])
    turn(await lanes.enter(at('a'), open, signal())).end(answered)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(turn(await lanes.enter(at('a'), open, signal())).away('away')).toBe(1_000)
  })

  it('that says nothing is looked for after shorter pauses', async () => {
    const lanes = hosts(Date.now)
    turn(await lanes.enter(at('a'), open, signal())).end(answered)
    const waits: (number | null)[] = []
    for (let wait: number | null = 1_000; wait !== null && waits.length < 20; ) {
      await vi.advanceTimersByTimeAsync(wait)
      wait = turn(await lanes.enter(at('a'), open, signal())).away('mute')
      waits.push(wait)
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 4_000, 4_000, 4_000, 4_000, 4_000, 4_000, 4_000, null])
  })

  it('that cannot be reached turns away waiting and new pages, and counts those that were under way as one', async () => {
    const lanes = hosts(Date.now)
    turn(await lanes.enter(at('a'), open, signal())).end(answered)
    await vi.advanceTimersByTimeAsync(2_000)
    const first = await Promise.all(Array.from({ length: 8 }, () => lanes.enter(at('a'), open, signal())))
    expect(first.map((given) => turn(given).away('away'))).toEqual(Array.from({ length: 8 }, () => 1_000))
    await vi.advanceTimersByTimeAsync(1_000)
    const second = Array.from({ length: 12 }, () => lanes.enter(at('a'), open, signal()))
    await vi.advanceTimersByTimeAsync(1)
    expect(turn(await second[0]).away('away')).toBe(2_000)
    expect([await second[8], await lanes.enter(at('a'), open, signal()), lanes.busy()]).toEqual([{ inMs: 2_000 }, { inMs: 2_000 }, ['a']])
  })

  it('does not keep pages waiting that were aborted', async () => {
    const lanes = hosts(Date.now)
    const held = Array.from({ length: 8 }, () => lanes.enter(at('a'), open, signal()))
    const [gone, stays] = [new AbortController(), new AbortController()]
    const [first, second] = [lanes.enter(at('a'), open, gone.signal), lanes.enter(at('a'), open, stays.signal)]
    gone.abort(new Error('gone'))
    await expect(first).rejects.toThrow('gone')
    turn(await held[0]).end(answered)
    expect('end' in (await second)).toBe(true)
    await expect(lanes.enter(at('a'), open, gone.signal)).rejects.toThrow('gone')
  })
})
