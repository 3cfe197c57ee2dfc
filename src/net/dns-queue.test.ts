import { lookup } from 'node:dns/promises'
import { expect, it, vi } from 'vitest'
import { callFor } from '../../test/net/servers.ts'
import { nameResolver } from './dns.ts'

vi.mock('node:dns/promises', async (original) => ({ ...(await original<object>()), lookup: vi.fn() }))

it('the queue skips names that nobody waits for any more, so that hanging names delay others by no more than their own turn', async () => {
  const hanging: (() => void)[] = []
  const asked: string[] = []
  vi.mocked(lookup).mockImplementation((async (host: string) => {
    asked.push(host)
    if (host.startsWith('hang')) await new Promise<void>((go) => hanging.push(go))
    return [{ address: '192.0.2.1', family: 4 }]
  }) as unknown as typeof lookup) // only this overload is called
  const resolver = nameResolver({ clock: { now: () => 1 } })
  const gone = new AbortController()
  const call = { ...callFor(), signal: gone.signal }
  const left = Array.from({ length: 50 }, (_, n) => resolver.resolve(`hang-${n}.test`, call).catch(() => 'gone'))
  gone.abort(new Error('gone'))
  expect(new Set(await Promise.all(left))).toEqual(new Set(['gone']))
  const waiting = resolver.resolve('next.test', callFor())
  const again = resolver.resolve('hang-40.test', callFor())
  for (const go of hanging.splice(0)) go()
  expect(await waiting).toEqual(['192.0.2.1'])
  await expect.poll(() => asked).toEqual(['hang-0.test', 'hang-1.test', 'hang-2.test', 'hang-40.test', 'next.test'])
  for (const go of hanging.splice(0)) go()
  expect(await again).toEqual(['192.0.2.1'])
})
