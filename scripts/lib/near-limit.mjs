/**
 * Reports the tests that took more than a third of their time limit: on a slower machine, they are the first to fail.
 */
const share = 1 / 3
const shown = 20

export default class NearLimit {
  /** @param {readonly import('vitest/node').TestModule[]} modules */
  onTestRunEnd(modules) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const near = tests
      .map((test) => ({ name: `${test.module.relativeModuleId}: ${test.fullName}`, ms: test.diagnostic()?.duration ?? 0, limitMs: test.task.timeout }))
      .filter(({ ms, limitMs }) => ms > share * limitMs)
      .sort((a, b) => b.ms / b.limitMs - a.ms / a.limitMs)
    if (near.length === 0) return
    const lines = near.slice(0, shown).map(({ name, ms, limitMs }) => `  ${(ms / 1000).toFixed(1)} of ${limitMs / 1000} s  ${name}`)
    console.log(['', `Tests that took more than a third of their time limit: ${near.length}`, ...lines].join('\n'))
  }
}
