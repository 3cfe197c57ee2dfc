import { expect, it } from 'vitest'
import { PageLost } from '../page-lost.ts'
import { scarcity } from './scarce.ts'

const waiter = { team: 'team', signal: new AbortController().signal }

it('a page that is lost while the kernel kills for want of memory may come again, and then pages come one after the other for a minute', async () => {
  let now = 0
  let kills = 7
  const memory = scarcity(() => now, () => kills)
  const lost = (killed: number) => memory.watch(async () => {
    kills += killed
    throw new PageLost('It crashed.')
  })
  await expect(lost(0)).rejects.toMatchObject({ code: 'SCRAPE_SITE_ERROR' })
  await Promise.all([memory.enter(waiter), memory.enter(waiter)])
  await expect(lost(1)).rejects.toMatchObject({ code: 'OVERLOADED', retryAfterSeconds: 5 })
  const leave = await memory.enter(waiter)
  let second = false
  const next = memory.enter(waiter).then((left) => {
    second = true
    return left
  })
  await Promise.resolve()
  expect(second).toBe(false)
  leave()
  await next
  now = 60_000
  await Promise.all([memory.enter(waiter), memory.enter(waiter)])
})

it('what a page itself is to blame for stays its error, whatever the kernel does meanwhile', async () => {
  let kills = 0
  const memory = scarcity(() => 0, () => kills)
  const fault = new Error('of the page')
  await expect(memory.watch(async () => {
    kills += 1
    throw fault
  })).rejects.toBe(fault)
})
