import { expect, it } from 'vitest'
import { fakeApp } from '../../test/fakes.ts'
import { testKey } from '../../test/service.ts'
import type { Call } from '../domain/call.ts'
import { untilAborted } from '../lib/deadline.ts'

it('a timed-out call reports whether it was still waiting in the queue', async () => {
  const app = fakeApp({
    scrape: ({ request }, { signal, queue }: Call) => {
      const goOn = queue?.begin()
      if (request.url.endsWith('/served')) goOn?.()
      return untilAborted(new Promise<never>(() => undefined), signal)
    },
  })
  const codeOf = async (path: string): Promise<unknown> => {
    const answer = await app.inject({ method: 'POST', url: '/v2/scrape', headers: { authorization: `Bearer ${testKey}` }, payload: { url: `https://example.com/${path}`, timeout: 1000 } })
    return [answer.statusCode, answer.json().code]
  }
  expect(await Promise.all([codeOf('waiting'), codeOf('served')])).toEqual([[408, 'CONCURRENCY_QUEUE_TIMEOUT'], [408, 'SCRAPE_TIMEOUT']])
  await app.close()
})
