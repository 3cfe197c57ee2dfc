/**
 * Counting what the checks said. Whatever did not prove that it passed counts as failed.
 *
 * @typedef {{ name: string, passed: number, failed: number, notes: string[] }} Outcome
 */
import { relative } from 'node:path'

/** Outcome of a check that answers by its exit code. @returns {Outcome} */
export function checkOutcome(name, code) {
  if (code === 0) return { name, passed: 1, failed: 0, notes: [] }
  return { name, passed: 0, failed: 1, notes: [code === 124 ? `${name}: stopped, it took too long` : `${name}: failed with exit code ${code}`] }
}

/**
 * Outcome of a test run, from the runner's JSON report (undefined when it wrote none).
 *
 * @param {{ report: any, code: number, files: readonly string[], root: string, strict: boolean }} run
 *   `files`: the test files that exist, from `root`; each must be in the report. `strict`: a skipped test counts as failed.
 * @returns {Outcome}
 */
export function testOutcome({ report, code, files, root, strict }) {
  const name = 'tests'
  if (!Array.isArray(report?.testResults)) return { name, passed: 0, failed: 1, notes: [`tests: no report (exit code ${code})`] }
  const suites = report.testResults.map((suite) => ({ ...suite, path: relative(root, suite.name).replaceAll('\\', '/') }))
  const parts = [...suites.map((suite) => suiteOutcome(suite, strict)), ...files.filter((path) => !suites.some((suite) => suite.path === path)).map((path) => failure(`${path}: was not run`))]
  const sum = {
    name,
    passed: parts.reduce((all, part) => all + part.passed, 0),
    failed: parts.reduce((all, part) => all + part.failed, 0),
    notes: parts.flatMap((part) => part.notes),
  }
  if (sum.passed + sum.failed === 0) return plus(sum, failure('tests: none were found'))
  // Only the exit code shows an error outside of tests (an unhandled rejection, a crash at the end).
  if (sum.failed === 0 && code !== 0) return plus(sum, failure(code === 124 ? 'tests: stopped, they took too long' : `tests: an error outside the tests (exit code ${code})`))
  return sum
}

function failure(note) {
  return { name: 'tests', passed: 0, failed: 1, notes: [note] }
}

function plus(a, b) {
  return { name: a.name, passed: a.passed + b.passed, failed: a.failed + b.failed, notes: [...a.notes, ...b.notes] }
}

function suiteOutcome({ path, status, message, assertionResults = [] }, strict) {
  const passed = assertionResults.filter((test) => test.status === 'passed').length
  const broken = assertionResults.filter((test) => test.status === 'failed')
  const rest = assertionResults.filter((test) => test.status !== 'passed' && test.status !== 'failed')
  const notes = [...broken.map((test) => `${path}: failed: ${test.fullName}`), ...rest.map((test) => `${path}: not run: ${test.fullName}`)]
  const failed = broken.length + (strict ? rest.length : 0)
  if (assertionResults.length === 0) return failure(`${path}: has no tests, or could not be loaded${firstLine(message)}`)
  if (status === 'failed' && broken.length === 0) return { passed, failed: failed + 1, notes: [...notes, `${path}: failed outside its tests${firstLine(message)}`] }
  return { passed, failed, notes }
}

function firstLine(message) {
  const line = (message ?? '').split('\n').find((one) => one.trim() !== '')
  return line === undefined ? '' : ` (${line.trim()})`
}

/** The closing lines of a run; the last is what scripts read. @param {readonly Outcome[]} outcomes */
export function summary(outcomes) {
  const passed = outcomes.reduce((all, outcome) => all + outcome.passed, 0)
  const failed = outcomes.reduce((all, outcome) => all + outcome.failed, 0)
  // A run that proved nothing is not a success.
  const proved = passed + failed > 0
  const notes = outcomes.flatMap((outcome) => outcome.notes)
  const lines = [...notes.map((note) => `- ${note}`), ...(proved ? [] : ['- nothing was checked']), `${passed} passed, ${failed + (proved ? 0 : 1)} failed`]
  return { lines, code: failed > 0 || !proved ? 1 : 0 }
}
