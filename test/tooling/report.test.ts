import { expect, it } from 'vitest'
import { type Outcome, testOutcome } from '../../scripts/lib/summary.mjs'
import { testRun } from './test-run.ts'

/** The outcome that the summary computes for a real run of these files. */
function outcomeOf(files: Readonly<Record<string, string>>): Outcome {
  const { report, status, root } = testRun(files)
  return testOutcome({ report, code: status ?? 1, files: Object.keys(files), root, strict: true })
}

it('the results of the real test runner are counted', () => {
  const outcome = outcomeOf({
    'good.test.mjs': "it('a', () => {})\nit.each([1, 2])('b %i', () => {})\n",
    'bad.test.mjs': "it('c', () => { throw new Error('no') })\nit.skip('d', () => {})\nit.todo('e')\n",
    'broken.test.mjs': "import './missing.mjs'\nit('f', () => {})\n",
    'after.test.mjs': "it('g', () => {})\nafterAll(() => { throw new Error('late') })\n",
    'empty.test.mjs': '\n',
  })
  expect([outcome.passed, outcome.failed]).toEqual([4, 6])
  expect(outcome.notes.map((note) => note.replace(/ \(.*/s, '')).sort()).toEqual([
    'after.test.mjs: failed outside its tests',
    'bad.test.mjs: failed: c',
    'bad.test.mjs: not run: d',
    'bad.test.mjs: not run: e',
    'broken.test.mjs: has no tests, or could not be loaded',
    'empty.test.mjs: has no tests, or could not be loaded',
  ])
})

it('an error outside of tests is counted', () => {
  expect(outcomeOf({ 'loose.test.mjs': "it('a', () => { void Promise.reject(new Error('loose')) })\n" })).toEqual({
    name: 'tests',
    passed: 1,
    failed: 1,
    notes: ['tests: an error outside the tests (exit code 1)'],
  })
})

it('a test file that crashes its process is counted', () => {
  const { failed } = outcomeOf({ 'gone.test.mjs': "it('a', () => { process.kill(process.pid, 'SIGKILL') })\n" })
  expect(failed).toBeGreaterThan(0)
})

it('tests close to their time limit are named', () => {
  const { output } = testRun({ 'slow.test.mjs': "const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms))\nit('long', () => after(500), 1_000)\nit('short', () => after(1), 1_000)\n" })
  expect(output).toMatch(/^Tests that took more than a third of their time limit: 1\n {2}0\.\d of 1 s {2}slow\.test\.mjs: long$/m)
})
