import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

/** What a tool of the project says, and its exit code. */
function tool(name: string, ...args: readonly string[]): readonly [status: number | null, said: string] {
  const { status, stdout, stderr } = spawnSync(process.execPath, [fileURLToPath(new URL(`../../scripts/${name}.mjs`, import.meta.url)), ...args], { encoding: 'utf8' })
  return [status, stdout + stderr]
}

it.each([
  ['build', 'bench', 'bench-content', 'check-borders', 'draw-facts', 'gen', 'gen-cid-tables', 'gen-walk', 'score-facts', 'score-search', 'test', 'torture', 'train-extractor'],
].flat())('%s says what is wrong with an option that it does not know, and how it is used, before it does anything', (name) => {
  const [status, said] = tool(name, '--no-such')
  expect([status, said.split('\n').length]).toEqual([1, 3])
  expect(said).toMatch(/^Unknown option '--no-such'\.\nUsage: (?:npm|node) .*\n$/)
  expect(tool(name, '--help')).toEqual([0, said.split('\n').slice(1).join('\n')])
})

it.each([
  ['train-extractor', [], 'The name of a folder is missing.'],
  ['train-extractor', ['.'], 'There is no folder wcxb in ..'],
  ['bench-content', ['/no/such/folder'], 'There is no folder /no/such/folder.'],
  ['score-search', ['.', '--every', 'second'], '--every "second" is no positive number.'],
  ['torture', ['stores'], '"stores" is one argument too many.'],
] as const)('%s %j: %s', (name, args, sentence) => {
  const [status, said] = tool(name, ...args)
  expect([status, said.split('\n')[0]]).toEqual([1, sentence])
})
