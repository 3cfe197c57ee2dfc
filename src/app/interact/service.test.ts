import { describe, expect, it } from 'vitest'
import { asker, call, codeOf, fakeBrowser, good, interact, scrape, sessionDesk } from '../../../test/session-desk.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { InteractRequest } from '../../spec/interact.ts'
import type { SessionPorts } from './ports.ts'

const desk = sessionDesk()

describe('a session', () => {
  it('runs one call at a time; a call that cannot wait any longer is told so', async () => {
    const session = desk.fake({}, (code, signal) => (code === 'long' ? new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))) : Promise.resolve(good)))
    await interact(session)
    const leaving = new AbortController()
    const long = codeOf(interact(session, { code: 'long' }, { ...call, signal: leaving.signal }))
    await expect.poll(() => session.ran).toContain('long')
    expect(await codeOf(interact(session, { code: 'short', timeout: 1 }))).toBe('CONCURRENCY_LIMITED')
    const waiting = interact(session, { code: 'after' })
    leaving.abort(new ServiceError('SCRAPE_TIMEOUT'))
    expect([await long, await waiting, session.ran]).toMatchObject(['SCRAPE_TIMEOUT', { success: true, stdout: 'out' }, ['1', 'long', 'after']])
  })

  it('replaces unresponsive pages after a run that was killed or given up, and says so', async () => {
    let freed = 0
    const browsers = { open: async () => ({ ...fakeBrowser(), free: async () => [`Page ${++freed} was closed.`] }) }
    const session = desk.fake({ browsers }, async (code) => (code === 'hang' ? new Promise(() => undefined) : { ...good, killed: code === 'late', exitCode: code === 'late' ? 137 : 0, error: code === 'vain' ? 'TimeoutError: Timeout 4000ms exceeded.' : null }))
    expect(await interact(session)).not.toHaveProperty('warning')
    expect(await interact(session, { code: 'late' })).toMatchObject({ killed: true, warning: 'Page 1 was closed.' })
    expect(await interact(session, { code: 'hang', timeout: 1 })).toMatchObject({ killed: true, error: expect.not.stringContaining('repeat') })
    expect(await interact(session)).toMatchObject({ success: true, warning: 'Page 2 was closed.' })
    expect(await interact(session, { code: 'vain' })).toMatchObject({ killed: false, warning: 'Page 3 was closed.' })
    expect([freed, await interact(session)]).toEqual([3, expect.not.objectContaining({ warning: expect.anything() })])
  })

  it('says that a page crashed, once', async () => {
    const crashes = ['Page 1 crashed.']
    const session = desk.fake({ browsers: { open: async () => ({ ...fakeBrowser(), news: () => crashes.splice(0) }) } })
    expect([await interact(session), await interact(session)]).toEqual([expect.objectContaining({ success: true, warning: 'Page 1 crashed.' }), expect.not.objectContaining({ warning: expect.anything() })])
  })

  it('says so when a call asks for a lifetime other than that of the open session', async () => {
    const session = desk.fake()
    const warned = async (request: Partial<InteractRequest>): Promise<unknown> => Reflect.get(await interact(session, { code: '1', ...request }), 'warning')
    expect(await warned({ ttl: 90, activityTtl: 20 })).toBeUndefined()
    expect(await warned({ ttl: 90 })).toBeUndefined()
    expect(await warned({ ttl: 91, activityTtl: 20 })).toBe('Ignored, as the session is open already: ttl.')
  })

  it('is listed with the addresses that clients demand of every entry, empty where there are none', async () => {
    const { service } = desk.fake()
    const ids = ['watched', 'unwatched', 'over']
    for (const id of ids) await service.create({ streamWebView: id !== 'unwatched', recordSession: false }, id, asker)
    await service.stop('over', asker)
    const entries = new Map((await service.list({}, asker)).map(({ id, cdpUrl, liveViewUrl }) => [id, [cdpUrl !== '', liveViewUrl !== '']]))
    expect(ids.map((id) => entries.get(id))).toEqual([[true, true], [true, false], [false, false]])
    expect(await service.status('over', asker)).not.toHaveProperty('cdpUrl')
  })

  it('runs prompts if there is an agent, and costs more from its first prompt', async () => {
    const none = desk.fake()
    expect(await codeOf(interact(none, { prompt: 'go' }))).toBe('FEATURE_NOT_CONFIGURED')
    expect(none.browsers).toEqual([])
    const session = desk.fake({ agent: { run: async (prompt) => ({ output: `did ${prompt}`, snapshot: 'page', actions: [{ type: 'scroll' }], error: null, timedOut: false, truncated: prompt === 'much' }) } })
    expect(await interact(session, { prompt: 'go' })).toEqual({ success: true, sessionId: 'session-2', cdpUrl: expect.any(String), liveViewUrl: expect.any(String), interactiveLiveViewUrl: expect.any(String), output: 'did go', actions: [{ type: 'scroll' }], stdout: null, result: 'page', stderr: null, exitCode: 0, killed: false })
    expect(await interact(session, { prompt: 'much' })).toMatchObject({ output: 'did much', truncated: true })
    expect(await desk.held()).toBe(7)
    expect(await session.service.stopOfScrape(scrape, asker)).toMatchObject({ creditsBilled: 7 })
  })

  it('is not opened for a prompt that the credits do not cover: it would use them up unnoticed', async () => {
    const agent: SessionPorts['agent'] = { run: async () => ({ output: 'done', snapshot: '', actions: [], error: null, timedOut: false, truncated: false }) }
    const session = desk.fake({ agent })
    await desk.store.ledger.charge('a', { ref: 'before', kind: 'map', credits: 94, at: desk.clock })
    expect(await codeOf(interact(session, { prompt: 'go' }))).toBe('INSUFFICIENT_CREDITS')
    expect([session.browsers, await desk.store.sessions.ofScrape(scrape), await desk.held()]).toEqual([[], null, 0])
    expect([await interact(session, { code: '1' }), await desk.held()]).toMatchObject([{ success: true }, 2])
    expect(await codeOf(interact(session, { prompt: 'go' }))).toBe('INSUFFICIENT_CREDITS')
  })
})
