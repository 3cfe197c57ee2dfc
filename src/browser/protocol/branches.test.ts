import { describe, expect, it } from 'vitest'
import { branches } from './branches.ts'
import type { Spoken } from './spoken.ts'

/** Branches over a pipe, with the test at its other end. */
function fakePipe() {
  const sent: Spoken[] = []
  const all = branches({ send: (message) => void sent.push(message), listen: () => undefined, close: () => undefined })
  const last = (): Spoken => sent.at(-1) ?? {}
  return {
    all,
    sent,
    last,
    async open(root: string) {
      const heard: Spoken[] = []
      let closed = 0
      const opening = all.open({ message: (message) => void heard.push(message), closed: () => void closed++ })
      all.take({ method: 'Target.attachedToTarget', params: { sessionId: root, targetInfo: { type: 'browser' } } })
      all.take({ id: last().id ?? 0, result: { sessionId: root } })
      return { branch: await opening, heard, closed: () => closed }
    },
  }
}

describe('connections beside the driver', () => {
  it('have their own ids and sessions', async () => {
    const pipe = fakePipe()
    const [one, two] = [await pipe.open('B1'), await pipe.open('B2')]
    one.branch.send({ id: 1, method: 'Browser.getVersion' })
    const first = pipe.last()
    two.branch.send({ id: 1, method: 'Browser.getVersion' })
    const second = pipe.last()
    expect([first.sessionId, second.sessionId, first.id === second.id]).toEqual(['B1', 'B2', false])
    pipe.all.take({ id: second.id ?? 0, sessionId: 'B2', result: { b: 2 } })
    pipe.all.take({ id: first.id ?? 0, sessionId: 'B1', result: { a: 1 } })
    pipe.all.take({ sessionId: 'B1', method: 'Target.attachedToTarget', params: { sessionId: 'child' } })
    pipe.all.take({ sessionId: 'child', method: 'Page.loadEventFired' })
    expect([one.heard, two.heard]).toEqual([
      [{ id: 1, result: { a: 1 } }, { method: 'Target.attachedToTarget', params: { sessionId: 'child' } }, { sessionId: 'child', method: 'Page.loadEventFired' }],
      [{ id: 1, result: { b: 2 } }],
    ])
  })

  it('receive an error for what the browser had not done when a session ended', async () => {
    const pipe = fakePipe()
    const { branch, heard } = await pipe.open('B1')
    for (const sessionId of ['ended', 'other']) {
      pipe.all.take({ sessionId: 'B1', method: 'Target.attachedToTarget', params: { sessionId } })
      branch.send({ id: heard.length, sessionId, method: 'Runtime.evaluate' })
    }
    branch.send({ id: 9, method: 'Target.getTargets' })
    const before = heard.length
    pipe.all.take({ sessionId: 'B1', method: 'Target.detachedFromTarget', params: { sessionId: 'ended' } })
    expect(heard.slice(before)).toEqual([{ method: 'Target.detachedFromTarget', params: { sessionId: 'ended' } }, { id: 1, sessionId: 'ended', error: { message: 'Target closed' } }])
  })

  it("leave the driver's messages to the driver", async () => {
    const pipe = fakePipe()
    await pipe.open('B1')
    expect([
      pipe.all.take({ id: 3, result: {} }),
      pipe.all.take({ id: 1_000_000_004, result: {} }),
      pipe.all.take({ sessionId: 'drivers', method: 'Page.loadEventFired' }),
      pipe.all.take({ method: 'Target.attachedToTarget', params: { sessionId: 'x', targetInfo: { type: 'page' } } }),
      pipe.all.take({ method: 'Target.attachedToTarget', params: { sessionId: 'x', targetInfo: { type: 'browser' } } }),
    ]).toEqual([false, false, false, false, false])
  })

  it('receive nothing once they are closed, nor does the driver receive late answers for them', async () => {
    const pipe = fakePipe()
    const { branch, heard } = await pipe.open('B1')
    branch.send({ id: 1, method: 'Browser.getVersion' })
    const asked = pipe.last().id ?? 0
    branch.close()
    branch.send({ id: 2, method: 'Browser.getVersion' })
    expect([pipe.last().method, pipe.all.take({ sessionId: 'B1', id: asked, result: {} }), pipe.all.take({ sessionId: 'B1', method: 'Target.targetCreated' })]).toEqual(['Target.detachFromTarget', true, true])
    expect(heard.filter(({ id }) => id !== undefined)).toEqual([])
  })

  it('close when the browser closes them, and with the browser', async () => {
    const pipe = fakePipe()
    const [one, two] = [await pipe.open('B1'), await pipe.open('B2')]
    expect(pipe.all.take({ method: 'Target.detachedFromTarget', params: { sessionId: 'B1' } })).toBe(true)
    expect([one.closed(), two.closed()]).toEqual([1, 0])
    pipe.all.end()
    expect([one.closed(), two.closed()]).toEqual([1, 1])
    await expect(pipe.all.open({ message: () => undefined, closed: () => undefined })).rejects.toThrow('closed')
  })
})
