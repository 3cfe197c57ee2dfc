import { expect, it } from 'vitest'
import { receiverTurns } from './receiver-turns.ts'

/** The order in which receivers have their turn, where each is sent so many more. */
function turns(receivers: readonly string[], sent: Readonly<Record<string, number>> = {}, more = 1): readonly string[] {
  const order: string[] = []
  for (const turn of receiverTurns(receivers, new Map(Object.entries(sent)))) {
    order.push(`${turn.receiver} ${turn.underWay}`)
    turn.count(more)
  }
  return order
}

it('teams come in turn, then their hosts, then receivers, in the order given', () => {
  expect(turns(['a https://d/1', 'a https://d/2', 'a https://d/3', 'a https://l/1', 'b https://d/1', 'b http://d/1'])).toEqual([
    'a https://d/1 0', 'b https://d/1 0', 'a https://l/1 0', 'b http://d/1 0', 'a https://d/2 0', 'a https://d/3 0',
  ]) // prettier-ignore
})

it('what is under way counts, and what could not be sent does not', () => {
  const receivers = ['a https://d/1', 'a https://d/2', 'a https://l/1', 'b https://l/1']
  expect(turns(receivers, { 'a https://d/1': 2, 'a https://gone/': 1, 'b https://l/1': 4 }, 0)).toEqual(['a https://l/1 0', 'a https://d/2 0', 'a https://d/1 2', 'b https://l/1 4'])
})
