import { describe, expect, it } from 'vitest'
import { heard } from './spoken.ts'
import { wire } from './wire.ts'

interface Sent {
  readonly id: number
  readonly sessionId?: string
  readonly method: string
  readonly params?: object
}

/** A wire with the test at both ends. */
function line() {
  const sent: Sent[] = []
  const heard: object[] = []
  let say: (message: object) => void = () => undefined
  let hangUp = (): void => undefined
  let most: ((id: number) => number) | undefined
  const one = wire({
    send: (message) => void sent.push(message as Sent), // what the wire sends
    listen: (onMessage, onClose, mostOf) => {
      say = onMessage
      hangUp = onClose
      most = mostOf
    },
    close: () => undefined,
  })
  Object.assign(one.transport, { onmessage: (message: object) => heard.push(message) })
  const attach = (sessionId: string, type: string, { parent = '', context = 'a', opener = '' } = {}): void =>
    say({ ...(parent === '' ? {} : { sessionId: parent }), method: 'Target.attachedToTarget', params: { sessionId, targetInfo: { targetId: `target of ${sessionId}`, type, browserContextId: context, ...(opener === '' ? {} : { openerId: opener }) } } })
  const make = (context: string): void => {
    one.transport.send({ id: 77, method: 'Target.createBrowserContext', params: {} })
    say({ id: 77, result: { browserContextId: context } })
  }
  const told = (sessionId: string): string[] => sent.filter((message) => message.sessionId === sessionId).map(({ method }) => method)
  return { ...one, sent, heard, most: (id: number | undefined) => most?.(id ?? 0), say: (message: object) => say(message), hangUp: () => hangUp(), attach, make, told, drive: (sessionId: string, method: string, id = 1) => one.transport.send({ id, sessionId, method, params: {} }) }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('the wire between driver and browser', () => {
  it('tells the driver, but not us, that an answer holds more values than it may take time for', async () => {
    const { attach, drive, command, heard: toDriver, say, sent } = line()
    attach('page', 'page')
    drive('page', 'Runtime.evaluate', 7)
    const own = command('target of page', { method: 'DOM.getDocument', params: {} })
    const result = { value: Array.from({ length: 260_000 }, () => 0) }
    for (const id of sent.map((message) => message.id)) say(heard(JSON.stringify({ id, result, sessionId: 'page' })))
    expect(await own).toEqual(result)
    expect(toDriver.slice(1)).toEqual([{ id: 7, sessionId: 'page', error: { code: -32_000, message: expect.stringContaining('holds more than 250000 values') } }])
  })

  it('tells the driver that script events of a page are enabled, without enabling them in the browser', async () => {
    const { attach, drive, told, heard, say } = line()
    attach('page', 'page')
    drive('page', 'Runtime.enable', 7)
    drive('page', 'Page.enable', 8)
    await turn()
    say({ id: 8, sessionId: 'page', result: {} })
    expect([told('page'), heard.slice(1)]).toEqual([['Page.enable'], [{ id: 7, sessionId: 'page', result: {} }, { id: 8, sessionId: 'page', result: {} }]])
  })

  it('enables the script events of one context on request', async () => {
    const { attach, drive, told, hear, sent, say, heard } = line()
    for (const name of ['mine', 'other']) attach(name, 'page', { context: name })
    for (const name of ['mine', 'other']) drive(name, 'Runtime.enable')
    const hearing = hear('mine')
    say({ id: sent[0]?.id, sessionId: 'mine', result: {} })
    await hearing
    attach('popup', 'page', { context: 'mine' })
    drive('popup', 'Runtime.enable', 9)
    expect([told('mine'), told('other'), sent.at(-1)?.id, heard.filter((message) => 'result' in message && 'id' in message && Number(message.id) > 100)]).toEqual([['Runtime.enable'], [], 9, []])
  })

  it('prepares workers and documents of a context before their code runs', () => {
    const { attach, drive, told, dress, make } = line()
    make('a')
    dress('a', { documents: [{ method: 'Emulation.document', params: {} }], workers: [{ method: 'Emulation.worker', params: {} }] })
    for (const [name, type] of [['frame', 'iframe'], ['worker', 'worker'], ['stranger', 'worker']] as const) {
      attach(name, type, { parent: 'page', context: name === 'stranger' ? 'b' : 'a' })
      drive(name, 'Runtime.runIfWaitingForDebugger')
    }
    const [hold, run] = ['Target.setAutoAttach', 'Runtime.runIfWaitingForDebugger']
    expect(['frame', 'worker', 'stranger'].map(told)).toEqual([['Page.addScriptToEvaluateOnNewDocument', 'Emulation.document', run], ['Emulation.worker', hold, run], [hold, run]])
  })

  it('reports whether a page of a shared context was prepared at its start: pages that were open before were not', () => {
    const { attach, drive, dress, make } = line()
    const outfit = { documents: [{ method: 'Emulation.document', params: {} }], workers: [] }
    make('a')
    for (const name of ['first', 'second']) {
      attach(name, 'page')
      drive(name, 'Runtime.runIfWaitingForDebugger')
    }
    const before = [dress('a', outfit, 'target of first'), dress('a', outfit, 'target of second')]
    attach('third', 'page')
    drive('third', 'Runtime.runIfWaitingForDebugger')
    expect([before, dress('a', outfit, 'target of third')]).toEqual([[false, false], true])
  })

  it('prepares a page once, however many sessions the driver opens with it', () => {
    const { attach, drive, told, dress, make } = line()
    make('a')
    dress('a', { documents: [{ method: 'Emulation.document', params: {} }], workers: [] })
    attach('page', 'page')
    drive('page', 'Runtime.runIfWaitingForDebugger')
    attach('second look', 'page', { parent: 'browser' })
    drive('second look', 'Runtime.runIfWaitingForDebugger')
    const run = 'Runtime.runIfWaitingForDebugger'
    expect([told('page'), told('second look')]).toEqual([['Page.addScriptToEvaluateOnNewDocument', 'Emulation.document', run], [run]])
  })

  it('tells the platform to further sessions of a page, and again when one of them ends', () => {
    const { attach, drive, sent, dress, make, say } = line()
    make('a')
    const params = { userAgent: 'an agent', platform: 'a platform' }
    dress('a', { documents: [{ method: 'Emulation.setUserAgentOverride', params }], workers: [] })
    attach('page', 'page')
    drive('page', 'Runtime.runIfWaitingForDebugger')
    attach('second look', 'page', { parent: 'browser' })
    attach('look elsewhere', 'page', { parent: 'browser', context: 'theirs' })
    say({ method: 'Target.detachedFromTarget', sessionId: 'browser', params: { sessionId: 'second look' } })
    const agents = sent.filter(({ method }) => method === 'Emulation.setUserAgentOverride')
    expect(agents.map((one) => [one.sessionId, one.params])).toEqual([['page', params], ['second look', { ...params, userAgent: '' }], ['page', params]])
  })

  it('takes the windows of a page offline, with their own windows and frames, but no other page', () => {
    const { attach, drive, told, isolate, say } = line()
    attach('page', 'page')
    attach('again', 'page', { parent: 'page' })
    isolate('target of page')
    say({ method: 'Target.detachedFromTarget', params: { sessionId: 'again' } })
    attach('window', 'page', { opener: 'target of page' })
    attach('its window', 'page', { opener: 'target of window' })
    attach('its frame', 'iframe', { parent: 'window' })
    attach('frame', 'iframe', { parent: 'page' })
    attach('other', 'page')
    const all = ['window', 'its window', 'its frame', 'frame', 'other']
    for (const name of all) drive(name, 'Runtime.runIfWaitingForDebugger')
    say({ method: 'Target.detachedFromTarget', params: { sessionId: 'page' } })
    attach('late', 'page', { opener: 'target of page' })
    drive('late', 'Runtime.runIfWaitingForDebugger')
    const [off, run] = ['Network.emulateNetworkConditions', 'Runtime.runIfWaitingForDebugger']
    expect([...all, 'late'].map(told)).toEqual([[off, run], [off, run], [off, run], [run], [run], [run]])
  })

  it('does not touch what is already open in a browser that runs elsewhere', () => {
    const { attach, drive, told } = line()
    attach('page', 'page', { context: 'theirs' })
    drive('page', 'Runtime.runIfWaitingForDebugger')
    expect(told('page')).toEqual(['Runtime.runIfWaitingForDebugger'])
  })

  it('hides shared workers from the driver', () => {
    const { attach, told, dress, heard, say } = line()
    dress('a', { documents: [], workers: [{ method: 'Emulation.worker', params: {} }] })
    attach('shared', 'shared_worker')
    attach('nested', 'worker', { parent: 'shared' })
    say({ sessionId: 'shared', method: 'Inspector.workerScriptLoaded', params: {} })
    say({ method: 'Target.detachedFromTarget', params: { sessionId: 'shared' } })
    const all = ['Emulation.worker', 'Target.setAutoAttach', 'Runtime.runIfWaitingForDebugger']
    expect([told('shared'), told('nested'), heard]).toEqual([all, all, []])
  })

  it('forgets a context when it ends', async () => {
    const { attach, drive, told, dress, hear, transport } = line()
    dress('a', { documents: [], workers: [{ method: 'Emulation.worker', params: {} }] })
    await hear('a')
    transport.send({ id: 1, method: 'Target.disposeBrowserContext', params: { browserContextId: 'a' } })
    attach('worker', 'worker')
    drive('worker', 'Runtime.enable')
    drive('worker', 'Runtime.runIfWaitingForDebugger')
    expect(told('worker')).toEqual(['Target.setAutoAttach', 'Runtime.runIfWaitingForDebugger'])
  })

  it("sends commands over the driver's session of a page, and resolves or rejects", async () => {
    const { attach, command, sent, say, hangUp } = line()
    attach('page', 'page')
    attach('second look', 'page', { parent: 'browser' })
    const shot = (): Promise<unknown> => command('target of page', { method: 'Page.captureScreenshot', params: {} })
    const first = shot()
    say({ id: sent[0]?.id, sessionId: 'page', result: { data: 'x' } })
    const second = shot()
    say({ id: sent[1]?.id, sessionId: 'page', error: { message: 'no picture' } })
    const third = shot()
    hangUp()
    expect([await first, sent[0]?.sessionId]).toEqual([{ data: 'x' }, 'page'])
    await expect(second).rejects.toThrow('no picture')
    await expect(third).rejects.toThrow('Target closed')
    await expect(command('unknown', { method: 'Page.captureScreenshot', params: {} })).rejects.toThrow('Target closed')
  })

  it("shares the driver's session of a page: commands of ours go over it, and the driver does not hear of what only we asked for", async () => {
    const { attach, session, sent, say, heard } = line()
    attach('page', 'page')
    attach('second look', 'page', { parent: 'browser' })
    const ours = session('target of page')
    const seen: unknown[] = []
    const note = ({ frame }: { readonly frame: { readonly id: string } }): void => void seen.push(frame.id)
    ours.on('Page.frameNavigated', note)
    ours.on('Fetch.requestPaused', ({ requestId }) => void seen.push(requestId))
    const tree = ours.send('Page.getFrameTree')
    say({ id: sent[0]?.id, sessionId: 'page', result: { frameTree: 1 } })
    say({ sessionId: 'page', method: 'Page.frameNavigated', params: { frame: { id: 'first' } } })
    say({ sessionId: 'page', method: 'Fetch.requestPaused', params: { requestId: 'paused' } })
    ours.off('Page.frameNavigated', note)
    say({ sessionId: 'page', method: 'Page.frameNavigated', params: { frame: { id: 'second' } } })
    say({ sessionId: 'second look', method: 'Fetch.requestPaused', params: { requestId: 'of others' } })
    expect(await tree).toEqual({ frameTree: 1 })
    expect([seen, heard.slice(2).map((message) => Reflect.get(message, 'method')), session('target of page') === ours, ours.targetId, ours.contextId]).toEqual([['first', 'paused'], ['Page.frameNavigated', 'Page.frameNavigated', 'Fetch.requestPaused'], true, 'target of page', 'a'])
  })

  it('limits the answers to others, and those to commands of ours that may not have more', async () => {
    const { attach, session, sent, say, most, drive } = line()
    attach('page', 'page')
    const ours = session('target of page')
    const [limited, free] = [ours.within(500).send('Runtime.evaluate', { expression: '1' }), ours.send('Page.getFrameTree')]
    drive('page', 'Runtime.evaluate')
    const ids = sent.map(({ id }) => id)
    const before = ids.map(most)
    say({ id: ids[0], sessionId: 'page', error: { message: 'The answer is longer than it may be' } })
    say({ id: ids[1], sessionId: 'page', result: {} })
    await expect(limited).rejects.toThrow('The answer is longer than it may be')
    expect([before, await free]).toEqual([[500, Number.POSITIVE_INFINITY, 128 * 1024 ** 2], {}])
  })

  it.each([
    ['closed', { method: 'Target.detachedFromTarget', params: { sessionId: 'page' } }],
    ['crashed', { sessionId: 'page', method: 'Inspector.targetCrashed', params: {} }],
  ])('rejects what a page was asked that is %s, then and later', async (what, event) => {
    const { attach, session, say, sent } = line()
    attach('page', 'page')
    attach('other', 'page')
    const [ours, other] = [session('target of page'), session('target of other')]
    const [before, elsewhere] = [ours.send('Page.getFrameTree'), other.send('Page.getFrameTree')]
    say(event)
    await expect(before).rejects.toThrow(`Target ${what}`)
    await expect(ours.send('Page.getFrameTree')).rejects.toThrow(`Target ${what}`)
    say({ id: sent[1]?.id, sessionId: 'other', result: {} })
    expect([await elsewhere, sent.length]).toEqual([{}, 2])
  })

  it('tells which target belongs to a page that the driver opens, however many are on their way', async () => {
    const { opening, transport, say } = line()
    let opened = (): void => undefined
    const there = new Promise<void>((resolve) => (opened = resolve))
    const open = (id: number, name: string): ReturnType<typeof opening<string>> =>
      opening(async () => {
        // The driver's command comes some time after it is called.
        await turn()
        transport.send({ id, method: 'Target.createTarget', params: {} })
        await there
        return name
      })
    const refused = opening(() => Promise.reject(new Error('no page')))
    const both = Promise.all([open(1, 'first'), open(2, 'second'), opening(async () => 'none')])
    await expect(refused).rejects.toThrow('no page')
    for (let i = 0; i < 4; i++) await turn()
    say({ id: 2, result: { targetId: 'two' } })
    say({ id: 1, result: { targetId: 'one' } })
    opened()
    expect(await both).toEqual([{ opened: 'first', targetId: 'one' }, { opened: 'second', targetId: 'two' }, { opened: 'none', targetId: null }])
  })

  const arrived = (loaderId: string, id = 'frame'): object => ({ sessionId: 'page', method: 'Page.frameNavigated', params: { frame: { id, loaderId } } })
  it.each([
    ['not, where the one it asked for replaces it', [arrived('of others')], { loaderId: 'asked for' }, []],
    ['only from the one on that it asked for', [arrived('of others'), arrived('asked for'), arrived('next')], { loaderId: 'asked for' }, [arrived('asked for'), arrived('next')]],
    ['that stays, as the one it asked for does not come', [arrived('of others')], { loaderId: 'asked for', errorText: 'net::ERR_ABORTED' }, [arrived('of others')]],
    ['that stays, as the one it asked for is a file', [arrived('of others')], { loaderId: 'asked for', isDownload: true }, [arrived('of others')]],
    ['of another frame', [arrived('of others', 'inner')], { loaderId: 'asked for' }, [arrived('of others', 'inner')]],
  ])('tells a navigating driver about another document %s', (_which, before, result, told) => {
    const { attach, heard, say, transport } = line()
    attach('page', 'page')
    transport.send({ id: 5, sessionId: 'page', method: 'Page.navigate', params: { frameId: 'frame', url: 'http://site.test/' } })
    for (const message of before) say(message)
    say({ id: 5, sessionId: 'page', result })
    say(arrived('later'))
    expect(heard.slice(1)).toEqual([...told, { id: 5, sessionId: 'page', result }, arrived('later')])
  })
})
