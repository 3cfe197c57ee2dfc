import { describe, expect, it } from 'vitest'
import type { Call } from '../domain/call.ts'
import { bodyRoom, withRoom } from './body-room.ts'

const signal = new AbortController().signal

/** Requests memory and records the name when it is granted. */
function asking(bodies: ReturnType<typeof bodyRoom>, done: string[]) {
  return (name: string, bytes: number, by: AbortSignal = new AbortController().signal) => {
    const room = bodies.open(name.slice(0, 1))
    const taken = room.take(bytes, by).then(() => void done.push(name), () => void done.push(`${name} gone`))
    return { room, taken }
  }
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('the memory budget for bodies', () => {
  it('is granted in order of arrival, and small bodies do not overtake large ones', async () => {
    const done: string[] = []
    const bodies = bodyRoom({ bytes: 10, largest: 2 })
    const ask = asking(bodies, done)
    const first = ask('a1', 6)
    const second = ask('b1', 7)
    ask('c1', 1)
    await settled()
    expect([done, bodies.load()]).toEqual([['a1'], { bytes: 6, waiting: 2 }])
    first.room.give(3)
    await settled()
    expect(done).toEqual(['a1', 'b1'])
    second.room.close()
    await settled()
    expect([done, bodies.load()]).toEqual([['a1', 'b1', 'c1'], { bytes: 4, waiting: 0 }])
  })

  it('admits a body larger than the budget if it is alone', async () => {
    const done: string[] = []
    const bodies = bodyRoom({ bytes: 10, largest: 50 })
    const ask = asking(bodies, done)
    const small = ask('a1', 1)
    const large = ask('b1', 50)
    await settled()
    expect(done).toEqual(['a1'])
    small.room.close()
    await settled()
    ask('a2', 1)
    await settled()
    expect(done).toEqual(['a1', 'b1'])
    large.room.close()
    await settled()
    expect(done).toEqual(['a1', 'b1', 'a2'])
  })

  it('lets a call that has ended wait for nothing, and counts nothing for it', async () => {
    const done: string[] = []
    const bodies = bodyRoom({ bytes: 10, largest: 2 })
    const ask = asking(bodies, done)
    ask('a1', 10)
    const ended = bodies.open('b')
    ended.close()
    await ended.take(5, signal)
    expect([done, bodies.load()]).toEqual([['a1'], { bytes: 10, waiting: 0 }])
  })

  it('reserves memory for one body of another team, however many one team brings', async () => {
    const done: string[] = []
    const bodies = bodyRoom({ bytes: 10, largest: 2 })
    const ask = asking(bodies, done)
    for (let n = 0; n < 20; n++) ask(`a${n}`, 2)
    ask('b0', 2)
    await settled()
    expect([done, bodies.load()]).toEqual([['a0', 'a1', 'a2', 'a3', 'b0'], { bytes: 10, waiting: 16 }])
  })

  it('never makes two calls wait for what each other holds', async () => {
    const bodies = bodyRoom({ bytes: 10, largest: 5 })
    const rooms = [bodies.open('a'), bodies.open('b')]
    for (const room of rooms) await room.take(5, signal)
    for (const room of rooms) await room.take(5, signal)
    rooms[0]?.add(7)
    expect(bodies.load()).toEqual({ bytes: 27, waiting: 0 })
    for (const room of rooms) room.close()
    expect(bodies.load()).toEqual({ bytes: 0, waiting: 0 })
  })

  it('does not make others wait for callers that have left', async () => {
    const done: string[] = []
    const bodies = bodyRoom({ bytes: 10, largest: 1 })
    const ask = asking(bodies, done)
    const gone = new AbortController()
    ask('a1', 6)
    ask('b1', 9, gone.signal)
    ask('c1', 4)
    gone.abort()
    await settled()
    expect([[...done].sort(), bodies.load()]).toEqual([['a1', 'b1 gone', 'c1'], { bytes: 10, waiting: 0 }])
    ask('d1', 1, gone.signal)
    await settled()
    expect(done).toContain('d1 gone')
  })

  it('gets back everything that a call held, however it ends, exactly once', async () => {
    const bodies = bodyRoom({ bytes: 10, largest: 5 })
    const call: Call = { id: 'c', team: 'a', signal, deadline: 0, retention: 'normal', log: () => undefined }
    await withRoom(bodies, call, async ({ room }) => {
      await room?.take(5, signal)
      room?.give(9)
      room?.add(3)
      expect(bodies.load().bytes).toBe(3)
    })
    let late: Call['room']
    await withRoom(bodies, call, async ({ room }) => {
      late = room
      await room?.take(5, signal)
      throw new Error('failed')
    }).catch(() => undefined)
    late?.give(5)
    late?.add(5)
    expect(bodies.load()).toEqual({ bytes: 0, waiting: 0 })
  })
})
