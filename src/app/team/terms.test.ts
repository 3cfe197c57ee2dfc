import { describe, expect, it } from 'vitest'
import { isOn } from '../../domain/teams/feature-gates.ts'
import type { TermedTeam } from '../../domain/teams/accounts.ts'
import type { Ledger } from '../../domain/teams/ledger.ts'
import { limitedLedger, liveTerms } from './terms.ts'

const plain: TermedTeam = { team: 'a', budget: null, rates: null, gates: [], webhookSecret: null, limited: false }
const settings = { zeroRetention: ['z'], ignoreRobots: [], enterpriseSearch: ['*'] }

describe('terms of teams', () => {
  it('are those of the settings until they are loaded, and then those of each team', async () => {
    const terms = liveTerms({ terms: async () => [{ ...plain, rates: 'scrape=1/s', gates: ['zeroRetention'], webhookSecret: 'hush', limited: true }] }, { gates: settings, always: false })
    const seen = (): unknown[] => [terms.isLimited('a'), terms.isLimited('b'), terms.rates('a').size, terms.webhookSecret('a'), isOn(terms.gates.zeroRetention, 'a'), isOn(terms.gates.zeroRetention, 'z'), isOn(terms.gates.ignoreRobots, 'a'), isOn(terms.gates.enterpriseSearch, 'b')]
    expect(seen()).toEqual([false, false, 0, null, false, true, false, true])
    await terms.refresh()
    expect(seen()).toEqual([true, false, 1, 'hush', true, true, false, true])
  })

  it('skip the ledger for teams without limits only', async () => {
    const asked: string[] = []
    const payers: unknown[] = []
    const note = (what: string) => async (payer?: unknown): Promise<never> => {
      asked.push(what)
      payers.push(payer)
      return false as never // the fake's answer does not matter
    }
    const ledger: Ledger = { balance: note('balance'), allowance: note('allowance'), hold: note('hold'), release: note('release'), charge: note('charge'), find: note('find'), addTokens: note('tokens'), months: note('months') }
    const terms = liveTerms({ terms: async () => [{ ...plain, limited: true }] }, { gates: settings, always: false })
    await terms.refresh()
    const limited = limitedLedger(ledger, terms)
    expect(await limited.hold({ team: 'free' }, 'r', 1, 2, 1)).toMatchObject({ ref: 'r' })
    await limited.release('free', { ref: 'r', fence: 'f' })
    expect(await limited.allowance({ team: 'free' }, 1)).toBeNull()
    expect(asked).toEqual([])
    // A call is a payer too; the rest of it cannot be sent to the store.
    const payer = { team: 'a', key: 'k' }
    const whole = { ...payer, log: () => undefined }
    expect([await limited.hold(whole, 'r', 1, 2, 1), await limited.allowance(whole, 1)]).toEqual([false, false])
    expect(payers.splice(0)).toEqual([payer, payer])
    expect(asked.splice(0)).toEqual(['hold', 'allowance'])
    await limited.release('a', { ref: 'r', fence: 'f' })
    await limited.charge('free', { ref: 'r', kind: 'scrape', credits: 1, at: 1 })
    expect(asked).toEqual(['release', 'charge'])
    expect(await limitedLedger(ledger, liveTerms({ terms: async () => [] }, { gates: settings, always: true })).hold({ team: 'new' }, 'r', 1, 2, 1)).toBe(false)
  })
})
