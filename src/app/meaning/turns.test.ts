import { expect, it } from 'vitest'
import { turns } from './turns.ts'

it('turns admit a few at once per key, the others in order, and drop those that leave', async () => {
  const { enter } = turns(1)
  const never = new AbortController().signal
  const log: string[] = []
  const visit = (name: string, key = 'k', until = never): Promise<() => void> => enter(key, until).then((leave) => (log.push(name), leave))
  const first = await visit('first')
  await visit('other', 'l')
  const hasty = new AbortController()
  const [second, third, impatient] = [visit('second'), visit('third'), visit('impatient', 'k', hasty.signal)]
  hasty.abort()
  const gone = await impatient
  first()
  first()
  expect(log).toEqual(['first', 'other', 'impatient'])
  gone()
  ;(await second)()
  ;(await third)()
  expect(log).toEqual(['first', 'other', 'impatient', 'second', 'third'])
})
