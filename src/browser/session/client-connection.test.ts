import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { BranchEnds } from '../protocol/branches.ts'
import { heard, type Spoken } from '../protocol/spoken.ts'
import { clientConnection } from './client-connection.ts'
import { connectionLimits, type SessionHost } from './connection-state.ts'
import type { Pace } from './pace.ts'

const main = 'A'.repeat(32)

/** A connection to a fake browser that the test controls. */
async function fakeLine(limits = {}, backlog?: () => number, pace: Pace = { take: () => null }) {
  const sent: Spoken[] = []
  const dropped: string[] = []
  const left: [string, string][] = []
  const state = { left: false, over: false }
  let ends: BranchEnds = { message: () => undefined, closed: () => undefined }
  const contexts = new Set([main])
  const guarding = new Map<string, Promise<void>>()
  const host: SessionHost = {
    wire: {
      async branch(given) {
        ends = given
        return { send: (message) => void sent.push(message), close: () => void (state.left = true) }
      },
      leave: (targetId, method) => void left.push([targetId, method]),
    },
    main,
    contexts,
    credentials: { username: 'trawl-1', password: 'p' },
    pace,
    async newContext() {
      const id = `made-${contexts.size}`
      contexts.add(id)
      return id
    },
    async dropContext(id) {
      contexts.delete(id)
      dropped.push(id)
    },
    guarding: (id) => guarding.get(id) ?? null,
    isFull: (coming) => coming >= 2,
    used: () => undefined,
    end: () => void (state.over = true),
  }
  const line = await clientConnection(host, { ...connectionLimits, ...limits }, backlog)
  const told: Spoken[] = []
  line.onMessage((text) => void told.push(JSON.parse(text) as Spoken))
  const say = (message: object): void => line.send(JSON.stringify(message))
  const attach = (targetId: string, browserContextId = main, type = 'page'): void => ends.message({ method: 'Target.attachedToTarget', params: { sessionId: `s-${targetId}`, targetInfo: { targetId, type, browserContextId } } })
  return { line, told, sent, dropped, left, state, guarding, say, attach, hear: (message: Spoken) => ends.message(message), gone: () => ends.closed() }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('the connection of a client to a session', () => {
  it('sends a page that was just opened nowhere before it is guarded', async () => {
    const { say, sent, attach, guarding } = await fakeLine()
    attach('new')
    let guarded = (): void => undefined
    guarding.set('new', new Promise((resolve) => (guarded = resolve)))
    say({ id: 1, method: 'Page.navigate', params: { url: 'http://example.com/' }, sessionId: 's-new' })
    say({ id: 2, method: 'Page.enable', sessionId: 's-new' })
    await settled()
    expect(sent.map(({ id }) => id)).toEqual([2])
    guarded()
    await settled()
    expect(sent.map(({ id }) => id)).toEqual([2, 1])
  })

  it("forwards commands and responses, and adds the session's context if none is named", async () => {
    const { say, sent, told, hear } = await fakeLine()
    say({ id: 7, method: 'Storage.getCookies' })
    say({ id: 8, method: 'Target.createTarget', params: { url: 'http://example.com/', hidden: true, enableBeginFrameControl: true } })
    hear({ id: 8, result: { targetId: 't' } })
    expect([sent, told]).toEqual([
      [
        { id: 7, method: 'Storage.getCookies', params: { browserContextId: main } },
        { id: 8, method: 'Target.createTarget', params: { url: 'http://example.com/', browserContextId: main } },
      ],
      [{ id: 8, result: { targetId: 't' } }],
    ])
  })

  it('refuses pages, and contexts, for which the session has no room beside those that are coming', async () => {
    const { say, sent, told, hear } = await fakeLine()
    for (const id of [1, 2, 3]) say({ id, method: 'Target.createTarget', params: { url: 'about:blank' } })
    say({ id: 4, method: 'Target.createBrowserContext' })
    hear({ id: 1, result: { targetId: 't' } })
    say({ id: 5, method: 'Target.createTarget', params: { url: 'about:blank' } })
    const full = 'A session has no more than 20 pages; close one first'
    expect([sent.map(({ id }) => id), told.map(({ id, error }) => [id, error?.message])]).toEqual([[1, 2, 5], [[3, full], [4, full], [1, undefined]]])
  })

  it('takes back what the driver has set in a page before a client sets it', async () => {
    const { say, sent, left, attach } = await fakeLine()
    attach('ours')
    say({ id: 1, method: 'Emulation.setTimezoneOverride', params: { timezoneId: 'Asia/Tokyo' }, sessionId: 's-ours' })
    expect([left, sent.map(({ method }) => method)]).toEqual([[['ours', 'Emulation.setTimezoneOverride']], ['Emulation.setTimezoneOverride']])
  })

  it('shows only targets of the session, and detaches from others', async () => {
    const { say, sent, told, attach, hear } = await fakeLine()
    attach('theirs', 'B'.repeat(32))
    attach('ours')
    hear({ method: 'Target.targetCreated', params: { targetInfo: { targetId: 'theirs', type: 'page', browserContextId: 'B'.repeat(32) } } })
    hear({ method: 'Target.targetCreated', params: { targetInfo: { targetId: 'browser', type: 'browser' } } })
    hear({ method: 'Target.targetDestroyed', params: { targetId: 'theirs' } })
    hear({ sessionId: 's-theirs', method: 'Page.loadEventFired', params: {} })
    hear({ sessionId: 's-ours', method: 'Page.loadEventFired', params: {} })
    hear({ sessionId: 's-ours', method: 'Tracing.dataCollected', params: {} })
    say({ id: 1, method: 'Target.getTargets' })
    hear({ id: 1, result: { targetInfos: [{ targetId: 'theirs', browserContextId: 'B'.repeat(32) }, { targetId: 'ours', browserContextId: main }, { targetId: 'browser' }] } })
    say({ id: 2, method: 'Target.closeTarget', params: { targetId: 'theirs' } })
    expect([sent.map(({ method }) => method), told.map(({ method, result, error }) => method ?? result ?? error?.message)]).toEqual([
      ['Runtime.runIfWaitingForDebugger', 'Target.detachFromTarget', 'Target.getTargets'],
      ['Target.attachedToTarget', 'Page.loadEventFired', { targetInfos: [{ targetId: 'ours', browserContextId: main }] }, 'No target with given id found'],
    ])
  })

  it('answers proxy challenges for the client, and site challenges unless the client does', async () => {
    const { say, sent, told, attach, hear } = await fakeLine()
    attach('ours')
    const asked = (requestId: string, source?: string): void => hear({ sessionId: 's-ours', method: 'Fetch.authRequired', params: { requestId, authChallenge: source === undefined ? {} : { source } } })
    say({ id: 1, sessionId: 's-ours', method: 'Fetch.enable', params: {} })
    asked('r1', 'Proxy')
    asked('r1', 'Proxy')
    asked('r2', 'Server')
    say({ id: 2, sessionId: 's-ours', method: 'Fetch.enable', params: { handleAuthRequests: true } })
    asked('r3', 'Server')
    asked('r4', 'Proxy')
    expect([sent.map(({ params }) => params?.['authChallengeResponse'] ?? params?.['handleAuthRequests']), told.map(({ params }) => params?.['requestId'])]).toEqual([
      [true, { response: 'ProvideCredentials', username: 'trawl-1', password: 'p' }, { response: 'CancelAuth' }, { response: 'Default' }, true, { response: 'ProvideCredentials', username: 'trawl-1', password: 'p' }],
      [undefined, 'r3'],
    ])
  })

  it('passes site challenges of the guarded page to a client that handles them', async () => {
    const { line, say, sent, told, attach, hear } = await fakeLine()
    attach('ours')
    const challenge = { requestId: 'r', authChallenge: { source: 'Server' as const } }
    const answer = (id: number, authChallengeResponse: unknown, requestId = 'guard-r'): void => say({ id, sessionId: 's-ours', method: 'Fetch.continueWithAuth', params: { requestId, authChallengeResponse } })
    expect([line.ask('ours', challenge), line.ask('theirs', challenge)]).toEqual([null, null])
    say({ id: 1, sessionId: 's-ours', method: 'Fetch.enable', params: { handleAuthRequests: true } })
    const first = line.ask('ours', challenge)
    expect(told.at(-1)).toEqual({ sessionId: 's-ours', method: 'Fetch.authRequired', params: { ...challenge, requestId: 'guard-r' } })
    answer(2, { response: 'Perhaps' })
    answer(3, { response: 'ProvideCredentials', username: 'ann', password: 7 })
    answer(4, { response: 'ProvideCredentials', username: 'ann', password: 'x', more: 1 })
    expect(await first).toEqual({ response: 'ProvideCredentials', username: 'ann', password: 'x' })
    expect(told.slice(-3).map(({ id, result, error }) => [id, result ?? error?.message])).toEqual([[2, 'Invalid parameters'], [3, 'Invalid parameters'], [4, {}]])
    // Challenges that were answered, or that the browser itself sent, go to the browser.
    answer(5, { response: 'Default' })
    answer(6, { response: 'Default' }, 'r2')
    expect(sent.slice(-2).map(({ id, params }) => [id, params?.['requestId']])).toEqual([[5, 'guard-r'], [6, 'r2']])
    // Nobody is left to answer.
    const open = [line.ask('ours', challenge)]
    say({ id: 7, sessionId: 's-ours', method: 'Fetch.disable', params: {} })
    expect(line.ask('ours', challenge)).toBe(null)
    say({ id: 8, sessionId: 's-ours', method: 'Fetch.enable', params: { handleAuthRequests: true } })
    open.push(line.ask('ours', { ...challenge, requestId: 'r4' }))
    hear({ method: 'Target.detachedFromTarget', params: { sessionId: 's-ours' } })
    attach('ours')
    say({ id: 9, sessionId: 's-ours', method: 'Fetch.enable', params: { handleAuthRequests: true } })
    open.push(line.ask('ours', { ...challenge, requestId: 'r5' }))
    line.close()
    expect(await Promise.all(open)).toEqual(open.map(() => ({ response: 'CancelAuth' })))
  })

  it('keeps headers for the proxy to itself', async () => {
    const { told, attach, hear } = await fakeLine()
    attach('ours')
    hear({ sessionId: 's-ours', method: 'Network.requestWillBeSentExtraInfo', params: { requestId: 'r', headers: { 'Proxy-Authorization': 'Basic x', Accept: '*/*' } } })
    expect(told.at(-1)?.params).toEqual({ requestId: 'r', headers: { Accept: '*/*' } })
  })

  it("lets the session create contexts and end itself, and disposes of a client's contexts when it leaves", async () => {
    const { say, sent, told, line, dropped, state } = await fakeLine({ contexts: 2 })
    for (const id of [1, 2, 3]) {
      say({ id, method: 'Target.createBrowserContext', params: {} })
      await settled()
    }
    say({ id: 4, method: 'Target.disposeBrowserContext', params: { browserContextId: main } })
    say({ id: 5, method: 'Target.disposeBrowserContext', params: { browserContextId: 'made-1' } })
    await settled()
    say({ id: 6, method: 'Browser.close' })
    await settled()
    expect([sent, told.map(({ id, result, error }) => [id, result ?? error?.message]), state.over]).toEqual([
      [],
      [
        [1, { browserContextId: 'made-1' }],
        [2, { browserContextId: 'made-2' }],
        [3, 'A client of a session has no more than 2 contexts'],
        [4, 'Failed to find context with given id'],
        [5, {}],
        [6, {}],
      ],
      true,
    ])
    line.close()
    await line.closed
    expect([dropped, state.left]).toEqual([['made-1', 'made-2'], true])
  })

  it('counts the contexts that are still being created', async () => {
    const { say, told } = await fakeLine({ contexts: 2 })
    for (const id of [1, 2, 3]) say({ id, method: 'Target.createBrowserContext', params: {} })
    await settled()
    expect(told.map(({ id, error }) => [id, error?.message]).sort()).toEqual([[1, undefined], [2, undefined], [3, 'A client of a session has no more than 2 contexts']])
  })

  it('disposes of a context that is created after its client has left', async () => {
    const { say, line, dropped } = await fakeLine()
    say({ id: 1, method: 'Target.createBrowserContext', params: {} })
    line.close()
    await settled()
    expect(dropped).toEqual(['made-1'])
  })

  it.each([
    ['is none', 'hello'],
    ['is a list', '[]'],
    ['is nothing', 'null'],
    ['has no number', '{"method":"Page.enable"}'],
    ['has a number that is none', '{"id":"1","method":"Page.enable"}'],
    ['has parameters that are none', '{"id":1,"method":"Page.enable","params":[]}'],
    ['is too long', `{"id":1,"method":"Page.enable","params":{"x":"${'x'.repeat(1_000)}"}}`],
  ])('closes if a message %s', async (_what, text) => {
    const { line, sent, state } = await fakeLine({ messageBytes: 1_000 })
    line.send(text)
    await line.closed
    line.send('{"id":1,"method":"Browser.getVersion"}')
    expect([sent, state.left]).toEqual([[], true])
  })

  it.each([
    ['values', '{},'.repeat(100) + '1'],
    ['names', Array.from({ length: 20 }, (_, i) => `{"name${i}":1}`).join(',')],
    ['levels', '['.repeat(301) + ']'.repeat(301)],
  ])('refuses a command with many %s instead of holding up everybody else, and stays open', async (_what, list) => {
    const { line, say, sent, told } = await fakeLine({ messageBytes: 4_000 })
    line.send(`{"id":1,"method":"Runtime.evaluate","params":{"a":[${list}]},"sessionId":"${main}"}`)
    say({ id: 2, method: 'Browser.getVersion' })
    expect([told, sent.map(({ id }) => id)]).toEqual([[{ id: 1, sessionId: main, error: { code: -32000, message: expect.stringContaining('too many values') } }], [2]])
  })

  it('closes at a command with many values whose id it cannot tell', async () => {
    const { line, sent } = await fakeLine({ messageBytes: 4_000 })
    line.send(`{"method":"Page.enable","params":{"a":[${'[],'.repeat(100)}1]},"id":1}`)
    await line.closed
    expect(sent).toEqual([])
  })

  it('passes the result of a large answer on as the browser wrote it', async () => {
    const { attach, hear, line, say } = await fakeLine()
    attach('ours')
    const texts: string[] = []
    const large = `{"result": [1,  "${'x'.repeat(300_000)}"]}`
    line.onMessage((text) => void texts.push(text))
    say({ id: 3, sessionId: 's-ours', method: 'Runtime.evaluate', params: {} })
    say({ id: 4, method: 'Target.getTargets' })
    hear({ id: 3, sessionId: 's-ours', result: heard(`{"id":3,"result":${large},"sessionId":"s-ours"}`).result })
    hear({ id: 4, result: heard(`{"id":4,"result":{"targetInfos":[{"targetId":"theirs","browserContextId":"${'B'.repeat(32)}","title":"${'x'.repeat(300_000)}"}]}}`).result })
    expect(texts).toEqual([`{"id":3,"sessionId":"s-ours","result":${large}}`, '{"id":4,"result":{"targetInfos":[]}}'])
  })

  it('closes if a client sends faster than the browser answers, or does not read', async () => {
    const hasty = await fakeLine({ commands: 3 })
    for (let id = 1; id <= 4; id++) hasty.say({ id, method: 'Browser.getVersion' })
    await hasty.line.closed
    const fat = await fakeLine({ commandBytes: 500 })
    for (let id = 1; id <= 4; id++) fat.say({ id, method: 'Browser.getVersion', params: { x: 'x'.repeat(150) } })
    await fat.line.closed
    let backlog = 0
    const slow = await fakeLine({ backlogBytes: 1_000 }, () => backlog)
    slow.attach('ours')
    backlog = 1_001
    slow.hear({ sessionId: 's-ours', method: 'Page.loadEventFired', params: {} })
    await slow.line.closed
    expect([hasty.sent.length, fat.sent.length, slow.told.length]).toEqual([3, 2, 1])
  })

  it('counts and tells no command of a session that has ended', async () => {
    const { attach, hear, say, sent, told } = await fakeLine({ commands: 3 })
    attach('ours')
    for (const id of [1, 2, 3]) say({ id, sessionId: 's-ours', method: 'Runtime.evaluate', params: {} })
    hear({ method: 'Target.detachedFromTarget', params: { sessionId: 's-ours' } })
    for (const id of [1, 2, 3]) hear({ id, sessionId: 's-ours', error: { message: 'Target closed' } })
    for (const id of [4, 5, 6]) say({ id, method: 'Browser.getVersion' })
    expect([sent.map(({ id }) => id), told.map(({ method }) => method)]).toEqual([[1, 2, 3, 4, 5, 6], ['Target.attachedToTarget', 'Target.detachedFromTarget']])
  })

  it('closes with the browser', async () => {
    const { line, gone, state } = await fakeLine()
    gone()
    await line.closed
    expect(state.left).toBe(true)
  })

  it('delays messages above its pace in order, and closes if a client has too many waiting', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    let room = 2
    const { say, sent, line } = await fakeLine({ commands: 5 }, undefined, { take: () => (room-- > 0 ? null : 50) })
    for (let id = 1; id <= 4; id++) say({ id, method: 'Browser.getVersion' })
    expect(sent.map(({ id }) => id)).toEqual([1, 2])
    room = 1
    await vi.advanceTimersByTimeAsync(50)
    expect(sent.map(({ id }) => id)).toEqual([1, 2, 3])
    say({ id: 5, method: 'Browser.getVersion' })
    say({ id: 6, method: 'Browser.getVersion' })
    await line.closed
    room = 9
    await vi.advanceTimersByTimeAsync(1_000)
    expect(sent.map(({ id }) => id)).toEqual([1, 2, 3])
  })
})
