import { describe, expect, it } from 'vitest'
import { checkOutcome, summary, testOutcome } from '../../scripts/lib/summary.mjs'

const root = '/project'

function suite(path: string, states: readonly string[], extras: object = {}) {
  return { name: `${root}/${path}`, status: states.includes('failed') ? 'failed' : 'passed', message: '', assertionResults: states.map((status, i) => ({ status, fullName: `case ${i}` })), ...extras }
}

function outcome(testResults: readonly object[] | undefined, extras: object = {}) {
  const report = testResults === undefined ? undefined : { testResults }
  return testOutcome({ report, code: 0, files: [], root, strict: false, ...extras })
}

describe('the outcome of a test run', () => {
  it('counts every test', () => {
    expect(outcome([suite('a.test.ts', ['passed', 'passed']), suite('b.test.ts', ['passed', 'failed'])], { code: 1 })).toEqual({
      name: 'tests',
      passed: 3,
      failed: 1,
      notes: ['b.test.ts: failed: case 1'],
    })
  })

  it.each([
    ['no report was written', undefined, { code: 1 }, 'tests: no report (exit code 1)'],
    ['no report was written though the exit code is 0', undefined, {}, 'tests: no report (exit code 0)'],
    ['nothing was collected', [], {}, 'tests: none were found'],
    ['a file could not be loaded', [suite('a.test.ts', [], { status: 'failed', message: '\nCannot find x\n at y' })], { code: 1 }, 'a.test.ts: has no tests, or could not be loaded (Cannot find x)'],
    ['a file is not in the report', [], { files: ['a.test.ts'] }, 'a.test.ts: was not run'],
  ])('is one failure when %s', (_, results, extras, note) => {
    expect(outcome(results, extras)).toEqual({ name: 'tests', passed: 0, failed: 1, notes: [note] })
  })

  it('counts an error outside of tests, which only the exit code shows', () => {
    expect(outcome([suite('a.test.ts', ['passed'])], { code: 1 })).toEqual({ name: 'tests', passed: 1, failed: 1, notes: ['tests: an error outside the tests (exit code 1)'] })
  })

  it('counts a run that was stopped because it took too long', () => {
    expect(outcome([suite('a.test.ts', ['passed'])], { code: 124 })).toEqual({ name: 'tests', passed: 1, failed: 1, notes: ['tests: stopped, they took too long'] })
  })

  it('counts a file whose setup failed although its tests passed', () => {
    expect(outcome([suite('a.test.ts', ['passed'], { status: 'failed', message: 'afterAll broke' })], { code: 1 })).toEqual({
      name: 'tests',
      passed: 1,
      failed: 1,
      notes: ['a.test.ts: failed outside its tests (afterAll broke)'],
    })
  })

  it.each(['skipped', 'pending', 'todo', 'disabled', 'something new'])('lists a test that is %s, and counts it as failed if nothing may be skipped', (status) => {
    const results = [suite('a.test.ts', ['passed', status])]
    expect(outcome(results)).toEqual({ name: 'tests', passed: 1, failed: 0, notes: ['a.test.ts: not run: case 1'] })
    expect(outcome(results, { strict: true })).toEqual({ name: 'tests', passed: 1, failed: 1, notes: ['a.test.ts: not run: case 1'] })
  })

  it('does not count a run of skipped tests as a success', () => {
    expect(outcome([suite('a.test.ts', ['skipped'])])).toEqual({ name: 'tests', passed: 0, failed: 1, notes: ['a.test.ts: not run: case 0', 'tests: none were found'] })
  })
})

describe('the summary', () => {
  it('ends with the sum of all checks, and fails when one failed', () => {
    const tests = { name: 'tests', passed: 7, failed: 2, notes: ['a', 'b'] }
    expect(summary([checkOutcome('types', 0), checkOutcome('lint', 2), checkOutcome('borders', 124), tests])).toEqual({
      lines: ['- lint: failed with exit code 2', '- borders: stopped, it took too long', '- a', '- b', '8 passed, 4 failed'],
      code: 1,
    })
  })

  it('succeeds if everything passed', () => {
    expect(summary([checkOutcome('types', 0)])).toEqual({ lines: ['1 passed, 0 failed'], code: 0 })
  })

  it('fails if nothing was checked', () => {
    expect(summary([])).toEqual({ lines: ['- nothing was checked', '0 passed, 1 failed'], code: 1 })
  })
})
