import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { callFor, nameServer, outcome, type Zone } from '../../test/net/servers.ts'
import { nameResolver } from './dns.ts'

async function asking(zone: Zone) {
  const names = await nameServer(zone)
  let time = 0
  const resolver = nameResolver({ servers: [names.address], clock: { now: () => time } })
  return { resolver, questions: names.questions, pass: (ms: number) => (time += ms) }
}

describe('the name resolver', () => {
  it('returns the addresses of both families, IPv4 first', async () => {
    const { resolver } = await asking({ 'a.test': [['2606:4700:0:0:0:0:0:1', '1.2.3.4', '5.6.7.8']] })
    expect(await resolver.resolve('a.test', callFor())).toEqual(['1.2.3.4', '5.6.7.8', '2606:4700::1'])
  })

  it('shares a look-up between concurrent calls, and repeats it after half a minute', async () => {
    const { resolver, questions, pass } = await asking({ 'a.test': [['1.2.3.4'], ['5.6.7.8']] })
    expect(await Promise.all([1, 2, 3].map(() => resolver.resolve('a.test', callFor())))).toEqual([['1.2.3.4'], ['1.2.3.4'], ['1.2.3.4']])
    pass(29_999)
    await resolver.resolve('a.test', callFor())
    expect(questions).toEqual(['a.test A', 'a.test AAAA'])
    pass(2)
    expect(await resolver.resolve('a.test', callFor())).toEqual(['5.6.7.8'])
  })

  it('forgets a failure after two seconds', async () => {
    const { resolver, pass, questions } = await asking({ 'late.test': [[], ['1.2.3.4']] })
    expect(await outcome(resolver.resolve('late.test', callFor()))).toBe('SCRAPE_DNS_RESOLUTION_ERROR')
    expect(await outcome(resolver.resolve('late.test', callFor()))).toBe('SCRAPE_DNS_RESOLUTION_ERROR')
    expect(questions).toHaveLength(2)
    pass(2_001)
    expect(await resolver.resolve('late.test', callFor())).toEqual(['1.2.3.4'])
  })

  it('forgets a failure in time, too, when the time of the system is set back meanwhile', async () => {
    const names = await nameServer({ 'late.test': [[], ['1.2.3.4']] })
    const resolver = nameResolver({ servers: [names.address] })
    expect(await outcome(resolver.resolve('late.test', callFor()))).toBe('SCRAPE_DNS_RESOLUTION_ERROR')
    onTestFinished(() => void vi.restoreAllMocks())
    const [began, steady] = [Date.now(), performance.now()]
    vi.spyOn(Date, 'now').mockReturnValue(began - 3_600_000)
    vi.spyOn(performance, 'now').mockReturnValue(steady + 5_000)
    expect(await resolver.resolve('late.test', callFor())).toEqual(['1.2.3.4'])
  })

  it('releases a call that ends, and keeps the answer for the next', async () => {
    const { resolver, questions } = await asking({ 'a.test': [['1.2.3.4']] })
    const ended = new AbortController()
    const work = resolver.resolve('a.test', callFor(1_000, ended.signal))
    ended.abort(new Error('gone'))
    await expect(work).rejects.toThrow('gone')
    expect(await resolver.resolve('a.test', callFor())).toEqual(['1.2.3.4'])
    expect(questions).toHaveLength(2)
  })

  it('uses the system resolver, including the hosts file, when no servers are set', async () => {
    const addresses = await nameResolver({ clock: { now: () => 0 } }).resolve('localhost', callFor())
    expect(addresses).toContain('127.0.0.1')
  })
})
