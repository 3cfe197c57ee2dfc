import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Order } from './messages.ts'
import { readDefaults } from '../domain/pages/reading.ts'
import { Outbox } from './outbox.ts'

const mb = 2 ** 20

const order = (body: Uint8Array): Order => ({
  capture: { requestedUrl: 'http://a.example/', url: 'http://a.example/', status: 200, headers: [], body, engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 },
  order: { formats: [], parsers: [], explain: false, read: readDefaults },
})

const fail = (error: unknown): never => {
  throw error
}

/**
 * The content of each message: the bytes of a piece, `end` for the order after the pieces, `whole` for a complete
 * order, or the name of other work.
 */
function startOutbox(): { readonly outbox: Outbox; readonly sent: unknown[] } {
  const sent: unknown[] = []
  const outbox = new Outbox({
    postMessage(message: { readonly piece?: Uint8Array; readonly capture?: { readonly body: Uint8Array | null }; readonly analysis?: string }) {
      sent.push(message.piece?.length ?? message.analysis ?? (message.capture?.body === null ? 'end' : 'whole'))
    },
  })
  return { outbox, sent }
}

describe('messages to a worker', () => {
  it('are sent at once if they are small', () => {
    const { outbox, sent } = startOutbox()
    outbox.send(order(new Uint8Array(4 * mb)), fail)
    outbox.send({ analysis: 'compared', input: null }, fail)
    expect(sent).toEqual(['whole', 'compared'])
  })

  it('are sent in pieces if they are large, one per turn, in order', async () => {
    const { outbox, sent } = startOutbox()
    const body = Buffer.alloc(9 * mb, 'a')
    outbox.send(order(body), fail)
    outbox.send({ analysis: 'compared', input: null }, fail)
    const turns: number[] = []
    while (sent.length < 5) {
      turns.push(sent.length)
      await setImmediate()
    }
    expect(sent).toEqual([4 * mb, 4 * mb, mb, 'end', 'compared'])
    expect(turns).toEqual([1, 2, 3, 4])
    // The caller still owns the body.
    expect([body.length, body.at(-1)]).toEqual([9 * mb, 97])
  })

  it('are not followed by others once one cannot be sent', async () => {
    const sent: number[] = []
    const lack = new RangeError('Array buffer allocation failed')
    const outbox = new Outbox({
      postMessage(message: { readonly piece?: Uint8Array }) {
        if (sent.length === 1) throw lack
        sent.push(message.piece?.length ?? 0)
      },
    })
    const failed: unknown[] = []
    outbox.send(order(Buffer.alloc(9 * mb)), (error) => failed.push(error))
    for (let turn = 0; turn < 5; turn++) await setImmediate()
    outbox.send({ analysis: 'compared', input: null }, fail)
    await setImmediate()
    expect([sent, failed]).toEqual([[4 * mb], [lack]])
  })
})
