import { expect, it } from 'vitest'
import { looker } from './looker.ts'

it('says that work cannot be had once, until it can be had again', async () => {
  const [answers, said] = [['away', 'away', 'more', 'none', 'away', 'none', 'away'], new Array<string>()]
  const takeMore = async (): Promise<boolean> => {
    const answer = answers.shift()
    if (answer === 'away') throw new Error(`away, with ${answers.length} to go`)
    return answer === 'more'
  }
  const { look, idle } = looker(takeMore, (error) => said.push(String(error)))
  while (answers.length > 0) {
    look()
    await idle()
  }
  expect(said).toEqual(['Error: away, with 6 to go', 'Error: away, with 2 to go', 'Error: away, with 0 to go'])
})
