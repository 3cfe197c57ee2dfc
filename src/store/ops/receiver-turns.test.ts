import { expect, it } from 'vitest'
import { receiverTurns } from './receiver-turns.ts'

/** The order of receivers, when each turn sends `more` deliveries. */
function turns(receivers: readonly string[], sent: Readonly<Record<string, number>> = {}, more = 1): readonly string[] {
  const order: string[] = []
  for (const turn of receiverTurns(receivers, new Map(Object.entries(sent)))) {
    order.push(`${turn.receiver} ${turn.underWay}`)
    turn.count(more)
  }
  return order
}

it('teams take turns, then their hosts, then receivers, in the given order', () => {
  expect(turns(['a https://d/1', 'a https://d/2', 'a https://d/3', 'a https://l/1', 'b https://d/1', 'b http://d/1'])).toEqual([
    'a https://d/1 0', 'b https://d/1 0', 'a https://l/1 0', 'b http://d/1 0', 'a https://d/2 0', 'a https://d/3 0',
  ])
})

it('deliveries in flight count, and those that could not be sent do not', () => {
  const receivers = ['a https://d/1', 'a https://d/2', 'a https://l/1', 'b https://l/1']
  expect(turns(receivers, { 'a https://d/1': 2, 'a https://gone/': 1, 'b https://l/1': 4 }, 0)).toEqual(['a https://l/1 0', 'a https://d/2 0', 'a https://d/1 2', 'b https://l/1 4'])
})
